import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261121160724 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_cart_order_number" rename column "brought" to "checkout_quantities";`);

    this.addSql(`alter table if exists "svc_line_price" drop column if exists "catalog_amount", drop column if exists "source", drop column if exists "raw_catalog_amount";`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_cart_order_number" rename column "checkout_quantities" to "brought";`);

    this.addSql(`alter table if exists "svc_line_price" add column if not exists "catalog_amount" numeric null, add column if not exists "source" text check ("source" in ('lookup', 'webhook')) not null, add column if not exists "raw_catalog_amount" jsonb null;`);
  }

}

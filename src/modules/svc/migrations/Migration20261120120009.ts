import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261120120009 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_cart_order_number" add column if not exists "brought" jsonb null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_cart_order_number" drop column if exists "brought";`);
  }

}

import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122073424 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_connection" add column if not exists "storefront_check" jsonb null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_connection" drop column if exists "storefront_check";`);
  }

}

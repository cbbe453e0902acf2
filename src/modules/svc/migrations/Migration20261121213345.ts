import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261121213345 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_catalog_import" add column if not exists "settings" text null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_catalog_import" drop column if exists "settings";`);
  }

}

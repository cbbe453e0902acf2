import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261120110012 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_catalog_import" add column if not exists "done" integer not null default 0, add column if not exists "failed" integer not null default 0;`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_catalog_import" drop column if exists "done", drop column if exists "failed";`);
  }

}

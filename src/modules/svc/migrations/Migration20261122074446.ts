import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122074446 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_event_product" add column if not exists "lookup_at" timestamptz null;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_lookup" ON "svc_event_product" ("connection_id", "lookup_at") WHERE lookup_at IS NOT NULL AND deleted_at IS NULL;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_event_product_lookup";`);
    this.addSql(`alter table if exists "svc_event_product" drop column if exists "lookup_at";`);
  }

}

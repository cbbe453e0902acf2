import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122013234 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_attribution_order_id_svc_order_no_unique";`);

    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_once_per_order" ON "svc_attribution" ("order_id", "svc_order_no", "connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_display_id" ON "svc_attribution" ("display_id") WHERE deleted_at IS NULL;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_attribution_once_per_order";`);
    this.addSql(`drop index if exists "IDX_svc_attribution_display_id";`);

    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_order_id_svc_order_no_unique" ON "svc_attribution" ("order_id", "svc_order_no") WHERE deleted_at IS NULL;`);
  }

}

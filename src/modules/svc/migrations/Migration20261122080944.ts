import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122080944 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_problem" ON "svc_attribution" ("connection_id", "state") WHERE state IN ('failed', 'duplicate') AND deleted_at IS NULL;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_attribution_problem";`);
  }

}

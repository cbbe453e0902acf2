import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122184512 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_delivery_received_at";`);

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_received_at_id" ON "svc_delivery" ("received_at", "id") WHERE deleted_at IS NULL;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_delivery_received_at_id";`);

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_received_at" ON "svc_delivery" ("received_at") WHERE deleted_at IS NULL;`);
  }

}

import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122153600 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_webhook" add column if not exists "look_up_at" timestamptz null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_webhook" drop column if exists "look_up_at";`);
  }

}

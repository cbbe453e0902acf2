import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122232919 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_live_event" add column if not exists "price_currency" text null, add column if not exists "price_asked_at" timestamptz null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_live_event" drop column if exists "price_currency", drop column if exists "price_asked_at";`);
  }

}

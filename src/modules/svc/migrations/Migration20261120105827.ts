import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261120105827 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_event_product" add column if not exists "alive_at" timestamptz null;`);

    this.addSql(`alter table if exists "svc_live_event" add column if not exists "alive_at" timestamptz null;`);

    this.addSql(`alter table if exists "svc_webhook" add column if not exists "refreshed_at" timestamptz null, add column if not exists "pull_wanted_at" timestamptz null, add column if not exists "pulled_at" timestamptz null, add column if not exists "pull_lease_until" timestamptz null, add column if not exists "last_error" jsonb null;`);
    this.addSql(`alter table if exists "svc_webhook" rename column "rotating_since" to "rotating_until";`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_event_product" drop column if exists "alive_at";`);

    this.addSql(`alter table if exists "svc_live_event" drop column if exists "alive_at";`);

    this.addSql(`alter table if exists "svc_webhook" drop column if exists "refreshed_at", drop column if exists "pull_wanted_at", drop column if exists "pulled_at", drop column if exists "pull_lease_until", drop column if exists "last_error";`);

    this.addSql(`alter table if exists "svc_webhook" rename column "rotating_until" to "rotating_since";`);
  }

}

import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261120135834 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_price_change" drop constraint if exists "svc_price_change_reason_check";`);

    this.addSql(`alter table if exists "svc_line_price" add column if not exists "region_id" text null;`);

    this.addSql(`alter table if exists "svc_price_change" add column if not exists "old_quantity" numeric null, add column if not exists "raw_old_quantity" jsonb null;`);
    this.addSql(`alter table if exists "svc_price_change" alter column "reason" type text using ("reason"::text);`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_line_price" drop column if exists "region_id";`);

    this.addSql(`alter table if exists "svc_price_change" drop column if exists "old_quantity", drop column if exists "raw_old_quantity";`);

    this.addSql(`alter table if exists "svc_price_change" add constraint "svc_price_change_reason_check" check("reason" in ('price_changed', 'campaign_ended', 'price_unavailable'));`);
  }

}

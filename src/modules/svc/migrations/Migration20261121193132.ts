import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261121193132 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_cart_order_number_cart_id_order_no_unique";`);

    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_once" ON "svc_cart_order_number" ("cart_id", "order_no", "connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_line_price_expires_at";`);

    this.addSql(`alter table if exists "svc_line_price" add column if not exists "source" text check ("source" in ('lookup', 'webhook')) not null default 'lookup', add column if not exists "held_until" timestamptz null, add column if not exists "held_quantity" numeric null, add column if not exists "moving_at" timestamptz null, add column if not exists "is_open" boolean not null default true, add column if not exists "ended_before_order" boolean null, add column if not exists "raw_held_quantity" jsonb null;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_open" ON "svc_line_price" ("connection_id", "campaign_uid") WHERE is_open AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_open_expires_at" ON "svc_line_price" ("expires_at") WHERE is_open AND deleted_at IS NULL;`);

    this.addSql(`alter table if exists "svc_price_change" add column if not exists "old_is_tax_inclusive" boolean null, add column if not exists "reason_params" jsonb null, add column if not exists "sessions_before" jsonb null, add column if not exists "totals_pending" boolean not null default false, add column if not exists "answered_at" timestamptz null;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_price_change_totals_pending" ON "svc_price_change" ("cart_id") WHERE totals_pending AND deleted_at IS NULL;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_svc_cart_order_number_once";`);

    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_cart_id_order_no_unique" ON "svc_cart_order_number" ("cart_id", "order_no") WHERE deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_line_price_open";`);
    this.addSql(`drop index if exists "IDX_svc_line_price_open_expires_at";`);
    this.addSql(`alter table if exists "svc_line_price" drop column if exists "source", drop column if exists "held_until", drop column if exists "held_quantity", drop column if exists "moving_at", drop column if exists "is_open", drop column if exists "ended_before_order", drop column if exists "raw_held_quantity";`);

    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_expires_at" ON "svc_line_price" ("expires_at") WHERE deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_price_change_totals_pending";`);
    this.addSql(`alter table if exists "svc_price_change" drop column if exists "old_is_tax_inclusive", drop column if exists "reason_params", drop column if exists "sessions_before", drop column if exists "totals_pending", drop column if exists "answered_at";`);
  }

}

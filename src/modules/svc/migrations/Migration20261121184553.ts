import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261121184553 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_show_order_line" drop constraint if exists "svc_show_order_line_line_item_id_unique";`);
    this.addSql(`alter table if exists "svc_show_order" drop constraint if exists "svc_show_order_order_id_unique";`);
    this.addSql(`alter table if exists "svc_ledger_entry" drop constraint if exists "svc_ledger_entry_order_id_source_unique";`);
    this.addSql(`alter table if exists "svc_cursor" drop constraint if exists "svc_cursor_name_unique";`);
    this.addSql(`create table if not exists "svc_cursor" ("id" text not null, "name" text not null, "position" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_cursor_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cursor_deleted_at" ON "svc_cursor" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_cursor_name_unique" ON "svc_cursor" ("name") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_ledger_entry" ("id" text not null, "order_id" text not null, "source" text not null, "kind" text not null, "line_item_id" text null, "variant_id" text null, "product_id" text null, "connection_id" text null, "campaign_uid" text null, "quantity" numeric not null, "amount" numeric not null, "tax" numeric not null, "discount" numeric not null, "currency_code" text not null, "occurred_at" timestamptz not null, "counted" boolean not null default true, "raw_quantity" jsonb not null, "raw_amount" jsonb not null, "raw_tax" jsonb not null, "raw_discount" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_ledger_entry_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_deleted_at" ON "svc_ledger_entry" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_order_id_source_unique" ON "svc_ledger_entry" ("order_id", "source") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_campaign_uid_occurred_at" ON "svc_ledger_entry" ("campaign_uid", "occurred_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_occurred_at_id" ON "svc_ledger_entry" ("occurred_at", "id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_report_attempt" ("id" text not null, "attribution_id" text not null, "connection_id" text not null, "svc_order_no" text not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "outcome" text check ("outcome" in ('unknown', 'accepted', 'refused')) not null default 'unknown', "status" integer null, "code" text null, "message" text null, "excerpt" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_report_attempt_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_report_attempt_deleted_at" ON "svc_report_attempt" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_report_attempt_attribution_id_started_at" ON "svc_report_attempt" ("attribution_id", "started_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_report_attempt_connection_id_svc_order_no" ON "svc_report_attempt" ("connection_id", "svc_order_no") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_report_attempt_started_at" ON "svc_report_attempt" ("started_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_show_order" ("id" text not null, "order_id" text not null, "cart_id" text null, "display_id" integer null, "currency_code" text not null, "placed_at" timestamptz not null, "version" integer null, "canceled_at" timestamptz null, "left_out" text null, "admitted" boolean not null default false, "flags" jsonb null, "dirty" boolean not null default true, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "problem" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_show_order_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_deleted_at" ON "svc_show_order" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_show_order_order_id_unique" ON "svc_show_order" ("order_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_dirty" ON "svc_show_order" ("next_attempt_at") WHERE dirty AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_cart_id" ON "svc_show_order" ("cart_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_placed_at" ON "svc_show_order" ("placed_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_show_order_line" ("id" text not null, "order_id" text not null, "line_item_id" text not null, "connection_id" text not null, "campaign_uid" text not null, "svc_order_no" text not null, "product_id" text null, "variant_id" text null, "unit_price" numeric not null, "proven_price" numeric not null, "is_tax_inclusive" boolean not null, "fetched_at" timestamptz not null, "expires_at" timestamptz not null, "raw_unit_price" jsonb not null, "raw_proven_price" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_show_order_line_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_line_deleted_at" ON "svc_show_order_line" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_show_order_line_line_item_id_unique" ON "svc_show_order_line" ("line_item_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_line_order_id" ON "svc_show_order_line" ("order_id") WHERE deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_attribution_once";`);
    this.addSql(`drop index if exists "IDX_svc_attribution_due";`);

    this.addSql(`alter table if exists "svc_attribution" add column if not exists "reason_params" jsonb null, add column if not exists "forced" boolean not null default false, add column if not exists "announce" text null, add column if not exists "raw_units" jsonb not null default '{"value":"0","precision":20}';`);
    this.addSql(`alter table if exists "svc_attribution" alter column "units" type numeric using ("units"::numeric);`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_number" ON "svc_attribution" ("connection_id", "svc_order_no") WHERE state NOT IN ('duplicate', 'excluded') AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_waiting" ON "svc_attribution" ("connection_id", "next_attempt_at") WHERE state = 'waiting' AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_announce" ON "svc_attribution" ("updated_at") WHERE announce IS NOT NULL AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_without_lines" ON "svc_attribution" ("connection_id", "campaign_uid") WHERE units = 0 AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_placed_at_id" ON "svc_attribution" ("placed_at", "id") WHERE deleted_at IS NULL;`);

    this.addSql(`alter table if exists "svc_cart_order_number" add column if not exists "counted" boolean not null default false;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_uncounted" ON "svc_cart_order_number" ("created_at") WHERE NOT counted AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_order_id" ON "svc_cart_order_number" ("order_id") WHERE order_id IS NOT NULL AND deleted_at IS NULL;`);

    this.addSql(`alter table if exists "svc_connection" add column if not exists "report_settings" jsonb null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "svc_cursor" cascade;`);

    this.addSql(`drop table if exists "svc_ledger_entry" cascade;`);

    this.addSql(`drop table if exists "svc_report_attempt" cascade;`);

    this.addSql(`drop table if exists "svc_show_order" cascade;`);

    this.addSql(`drop table if exists "svc_show_order_line" cascade;`);

    this.addSql(`drop index if exists "IDX_svc_attribution_number";`);
    this.addSql(`drop index if exists "IDX_svc_attribution_waiting";`);
    this.addSql(`drop index if exists "IDX_svc_attribution_announce";`);
    this.addSql(`drop index if exists "IDX_svc_attribution_without_lines";`);
    this.addSql(`drop index if exists "IDX_svc_attribution_placed_at_id";`);
    this.addSql(`alter table if exists "svc_attribution" drop column if exists "reason_params", drop column if exists "forced", drop column if exists "announce", drop column if exists "raw_units";`);

    this.addSql(`alter table if exists "svc_attribution" alter column "units" type integer using ("units"::integer);`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_once" ON "svc_attribution" ("connection_id", "svc_order_no") WHERE state <> 'duplicate' AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_due" ON "svc_attribution" ("next_attempt_at") WHERE state = 'waiting' AND deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_cart_order_number_uncounted";`);
    this.addSql(`drop index if exists "IDX_svc_cart_order_number_order_id";`);
    this.addSql(`alter table if exists "svc_cart_order_number" drop column if exists "counted";`);

    this.addSql(`alter table if exists "svc_connection" drop column if exists "report_settings";`);
  }

}

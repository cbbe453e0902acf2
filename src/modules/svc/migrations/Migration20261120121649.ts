import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261120121649 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_webhook" drop constraint if exists "svc_webhook_connection_id_unique";`);
    this.addSql(`alter table if exists "svc_live_event" drop constraint if exists "svc_live_event_connection_id_event_id_kind_unique";`);
    this.addSql(`alter table if exists "svc_line_price" drop constraint if exists "svc_line_price_line_item_id_unique";`);
    this.addSql(`alter table if exists "svc_event_product" drop constraint if exists "svc_event_product_connection_id_campaign_uid_uid_kind_unique";`);
    this.addSql(`alter table if exists "svc_delivery" drop constraint if exists "svc_delivery_connection_id_dedup_key_unique";`);
    this.addSql(`alter table if exists "svc_connection" drop constraint if exists "svc_connection_page_uid_base_url_unique";`);
    this.addSql(`alter table if exists "svc_catalog_item" drop constraint if exists "svc_catalog_item_connection_id_product_id_unique";`);
    this.addSql(`alter table if exists "svc_cart_order_number" drop constraint if exists "svc_cart_order_number_cart_id_order_no_unique";`);
    this.addSql(`alter table if exists "svc_attribution" drop constraint if exists "svc_attribution_order_id_svc_order_no_unique";`);
    this.addSql(`create table if not exists "svc_attribution" ("id" text not null, "order_id" text not null, "display_id" integer null, "cart_id" text null, "connection_id" text not null, "campaign_uid" text not null, "svc_order_no" text not null, "state" text check ("state" in ('waiting', 'reported', 'failed', 'duplicate', 'excluded')) not null default 'waiting', "currency_code" text not null, "units" integer not null default 0, "gross" numeric not null default 0, "placed_at" timestamptz not null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "failing_since" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "reported_at" timestamptz null, "raw_gross" jsonb not null default '{"value":"0","precision":20}', "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_attribution_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_deleted_at" ON "svc_attribution" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_order_id_svc_order_no_unique" ON "svc_attribution" ("order_id", "svc_order_no") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_once" ON "svc_attribution" ("connection_id", "svc_order_no") WHERE state <> 'duplicate' AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_due" ON "svc_attribution" ("next_attempt_at") WHERE state = 'waiting' AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_connection_id_campaign_uid" ON "svc_attribution" ("connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_cart_order_number" ("id" text not null, "cart_id" text not null, "connection_id" text not null, "campaign_uid" text not null, "order_no" text not null, "used_at" timestamptz not null, "order_id" text null, "brought" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_cart_order_number_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_deleted_at" ON "svc_cart_order_number" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_cart_id_order_no_unique" ON "svc_cart_order_number" ("cart_id", "order_no") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_connection_id_order_no" ON "svc_cart_order_number" ("connection_id", "order_no") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_used_at" ON "svc_cart_order_number" ("used_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_catalog_import" ("id" text not null, "connection_id" text not null, "status" text check ("status" in ('running', 'paused', 'completed', 'cancelled', 'failed')) not null default 'running', "cursor" text null, "marked_all" boolean not null default false, "total" integer not null default 0, "done" integer not null default 0, "failed" integer not null default 0, "started_at" timestamptz not null, "finished_at" timestamptz null, "error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_import_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_import_deleted_at" ON "svc_catalog_import" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_import_connection_id_started_at" ON "svc_catalog_import" ("connection_id", "started_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_import_open" ON "svc_catalog_import" ("connection_id") WHERE status IN ('running', 'paused') AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_catalog_item" ("id" text not null, "connection_id" text not null, "product_id" text not null, "title" text not null default '', "state" text check ("state" in ('pending', 'synced', 'invalid', 'failed', 'removed')) not null default 'pending', "wanted" integer not null default 1, "acknowledged" integer not null default 0, "acknowledged_hash" text null, "live" boolean not null default true, "force" boolean not null default false, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "failing_since" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "last_pushed_at" timestamptz null, "last_payload" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_item_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_deleted_at" ON "svc_catalog_item" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_item_connection_id_product_id_unique" ON "svc_catalog_item" ("connection_id", "product_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_product_id" ON "svc_catalog_item" ("product_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_connection_id_state" ON "svc_catalog_item" ("connection_id", "state") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_due" ON "svc_catalog_item" ("connection_id", "live", "next_attempt_at") WHERE wanted > acknowledged AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_connection" ("id" text not null, "name" text not null, "page_uid" text not null, "base_url" text not null, "sales_channel_id" text not null, "region_id" text not null, "storefront_url" text not null, "status" text check ("status" in ('active', 'broken')) not null default 'active', "last_error" jsonb null, "api_token" text null, "api_token_fingerprint" text null, "api_token_updated_at" timestamptz null, "managed_by" text check ("managed_by" in ('admin', 'environment')) not null default 'admin', "prices_include_vat" boolean not null default true, "breaker_failures" integer not null default 0, "breaker_open_until" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_connection_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_connection_deleted_at" ON "svc_connection" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_connection_page_uid_base_url_unique" ON "svc_connection" ("page_uid", "base_url") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_connection_sales_channel_id" ON "svc_connection" ("sales_channel_id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_delivery" ("id" text not null, "connection_id" text not null, "dedup_key" text not null, "topic" text not null, "event_uid" text null, "delivery_uid" text null, "occurred_at" timestamptz null, "received_at" timestamptz not null, "outcome" text check ("outcome" in ('received', 'applied', 'stale', 'duplicate', 'quarantined', 'unknown', 'test', 'failed')) not null default 'received', "reason" text null, "repeats" integer not null default 0, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "payload" jsonb not null, "headers" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_delivery_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_deleted_at" ON "svc_delivery" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_delivery_connection_id_dedup_key_unique" ON "svc_delivery" ("connection_id", "dedup_key") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_connection_id_received_at" ON "svc_delivery" ("connection_id", "received_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_due" ON "svc_delivery" ("next_attempt_at") WHERE outcome = 'received' AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_event_product" ("id" text not null, "connection_id" text not null, "uid" text not null, "campaign_uid" text not null, "kind" text check ("kind" in ('live', 'shoppable')) not null, "sku" text null, "external_id" text null, "name" text not null default '', "price" numeric null, "suggested_retail_price" numeric null, "available" boolean not null default true, "min_purchase_qty" integer null, "max_qty_per_customer" integer null, "variants" jsonb not null, "deleted_in_svc_at" timestamptz null, "occurred_at" timestamptz not null, "rank" integer not null, "hash" text not null, "alive_at" timestamptz null, "needs_reread" boolean not null default false, "data" jsonb not null, "raw_price" jsonb null, "raw_suggested_retail_price" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_event_product_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_deleted_at" ON "svc_event_product" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_event_product_connection_id_campaign_uid_uid_kind_unique" ON "svc_event_product" ("connection_id", "campaign_uid", "uid", "kind") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_connection_id_external_id" ON "svc_event_product" ("connection_id", "external_id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_line_price" ("id" text not null, "line_item_id" text not null, "cart_id" text not null, "connection_id" text not null, "campaign_uid" text not null, "order_no" text not null, "product_id" text not null, "variant_id" text not null, "amount" numeric not null, "catalog_amount" numeric null, "currency_code" text not null, "is_tax_inclusive" boolean not null, "source" text check ("source" in ('lookup', 'webhook')) not null, "fetched_at" timestamptz not null, "expires_at" timestamptz not null, "raw_amount" jsonb not null, "raw_catalog_amount" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_line_price_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_deleted_at" ON "svc_line_price" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_line_price_line_item_id_unique" ON "svc_line_price" ("line_item_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_cart_id" ON "svc_line_price" ("cart_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_expires_at" ON "svc_line_price" ("expires_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_live_event" ("id" text not null, "connection_id" text not null, "event_id" text not null, "kind" text check ("kind" in ('live', 'shoppable')) not null, "campaign_uid" text not null, "name" text not null default '', "status" text not null default 'planned', "is_published" boolean not null default false, "starts_at" timestamptz null, "live_started_at" timestamptz null, "live_ended_at" timestamptz null, "deadline" timestamptz null, "cover_url" text null, "deleted_in_svc_at" timestamptz null, "occurred_at" timestamptz not null, "rank" integer not null, "hash" text not null, "alive_at" timestamptz null, "needs_reread" boolean not null default false, "data" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_live_event_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_live_event_deleted_at" ON "svc_live_event" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_live_event_connection_id_event_id_kind_unique" ON "svc_live_event" ("connection_id", "event_id", "kind") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_live_event_connection_id_campaign_uid" ON "svc_live_event" ("connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_live_event_status" ON "svc_live_event" ("status") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_price_change" ("id" text not null, "cart_id" text not null, "line_item_id" text not null, "variant_id" text null, "title" text not null, "old_unit_price" numeric not null, "currency_code" text not null, "reason" text check ("reason" in ('price_changed', 'campaign_ended', 'price_unavailable')) not null, "removed" boolean not null default false, "told_at" timestamptz null, "raw_old_unit_price" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_price_change_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_price_change_deleted_at" ON "svc_price_change" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_price_change_untold" ON "svc_price_change" ("cart_id", "line_item_id") WHERE told_at IS NULL AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_webhook" ("id" text not null, "connection_id" text not null, "webhook_uid" text null, "url" text null, "topics" jsonb not null, "custom_headers" jsonb not null, "state" text null, "signature_key" text null, "signature_key_fingerprint" text null, "signature_key_updated_at" timestamptz null, "candidate_key" text null, "rotating_until" timestamptz null, "last_delivery_at" timestamptz null, "clock_skew_ms" integer null, "refreshed_at" timestamptz null, "pull_wanted_at" timestamptz null, "pulled_at" timestamptz null, "pull_lease_until" timestamptz null, "last_error" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_webhook_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_webhook_deleted_at" ON "svc_webhook" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_webhook_connection_id_unique" ON "svc_webhook" ("connection_id") WHERE deleted_at IS NULL;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "svc_attribution" cascade;`);

    this.addSql(`drop table if exists "svc_cart_order_number" cascade;`);

    this.addSql(`drop table if exists "svc_catalog_import" cascade;`);

    this.addSql(`drop table if exists "svc_catalog_item" cascade;`);

    this.addSql(`drop table if exists "svc_connection" cascade;`);

    this.addSql(`drop table if exists "svc_delivery" cascade;`);

    this.addSql(`drop table if exists "svc_event_product" cascade;`);

    this.addSql(`drop table if exists "svc_line_price" cascade;`);

    this.addSql(`drop table if exists "svc_live_event" cascade;`);

    this.addSql(`drop table if exists "svc_price_change" cascade;`);

    this.addSql(`drop table if exists "svc_webhook" cascade;`);
  }

}

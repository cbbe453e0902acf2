import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261123000000_svc extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_webhook" drop constraint if exists "svc_webhook_connection_id_unique";`);
    this.addSql(`alter table if exists "svc_show_order_line" drop constraint if exists "svc_show_order_line_line_item_id_unique";`);
    this.addSql(`alter table if exists "svc_show_order" drop constraint if exists "svc_show_order_order_id_unique";`);
    this.addSql(`alter table if exists "svc_refused_delivery" drop constraint if exists "svc_refused_delivery_connection_id_reason_unique";`);
    this.addSql(`alter table if exists "svc_live_event" drop constraint if exists "svc_live_event_connection_id_event_id_kind_unique";`);
    this.addSql(`alter table if exists "svc_line_price" drop constraint if exists "svc_line_price_line_item_id_unique";`);
    this.addSql(`alter table if exists "svc_ledger_entry" drop constraint if exists "svc_ledger_entry_order_id_source_unique";`);
    this.addSql(`alter table if exists "svc_hold" drop constraint if exists "svc_hold_connection_id_endpoint_unique";`);
    this.addSql(`alter table if exists "svc_forgotten_carts" drop constraint if exists "svc_forgotten_carts_campaign_uid_connection_id_currency_code_met_at_unique";`);
    this.addSql(`alter table if exists "svc_event_product" drop constraint if exists "svc_event_product_connection_id_campaign_uid_uid_kind_unique";`);
    this.addSql(`alter table if exists "svc_delivery" drop constraint if exists "svc_delivery_connection_id_dedup_key_unique";`);
    this.addSql(`alter table if exists "svc_cursor" drop constraint if exists "svc_cursor_name_unique";`);
    this.addSql(`alter table if exists "svc_connection_work" drop constraint if exists "svc_connection_work_connection_id_kind_unique";`);
    this.addSql(`alter table if exists "svc_connection" drop constraint if exists "svc_connection_page_uid_base_url_unique";`);
    this.addSql(`alter table if exists "svc_catalog_payload" drop constraint if exists "svc_catalog_payload_item_id_target_unique";`);
    this.addSql(`alter table if exists "svc_catalog_pace" drop constraint if exists "svc_catalog_pace_connection_id_unique";`);
    this.addSql(`alter table if exists "svc_catalog_item" drop constraint if exists "svc_catalog_item_connection_id_product_id_unique";`);
    this.addSql(`create table if not exists "svc_attribution" ("id" text not null, "order_id" text not null, "display_id" integer null, "cart_id" text null, "connection_id" text not null, "page" text not null, "campaign_uid" text not null, "svc_order_no" text not null, "state" text check ("state" in ('waiting', 'reported', 'failed', 'duplicate', 'excluded')) not null default 'waiting', "currency_code" text not null, "has_show_lines" boolean not null default true, "placed_at" timestamptz not null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "reason_params" jsonb null, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "reported_at" timestamptz null, "forced" boolean not null default false, "announce" text check ("announce" in ('reported', 'failed', 'excluded')) null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_attribution_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_deleted_at" ON "svc_attribution" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_once_per_order" ON "svc_attribution" ("order_id", "svc_order_no", "connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_display_id" ON "svc_attribution" ("display_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_attribution_number" ON "svc_attribution" ("page", "svc_order_no") WHERE state <> 'duplicate' AND (state <> 'excluded' OR reason_code IN ('order_cancelled_maybe_told', 'left_out_maybe_told', 'page_left')) AND (state <> 'failed' OR reason_code <> 'connection_not_found') AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_waiting" ON "svc_attribution" ("connection_id", "next_attempt_at") WHERE state = 'waiting' AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_problem" ON "svc_attribution" ("connection_id", "state") WHERE state IN ('failed', 'duplicate') AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_announce" ON "svc_attribution" ("updated_at") WHERE announce IS NOT NULL AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_connection_id_campaign_uid" ON "svc_attribution" ("connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_without_lines" ON "svc_attribution" ("connection_id", "campaign_uid") WHERE NOT has_show_lines AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_attribution_placed_at_id" ON "svc_attribution" ("placed_at", "id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_cart_order_number" ("id" text not null, "cart_id" text not null, "connection_id" text not null, "page" text not null, "campaign_uid" text not null, "order_no" text not null, "used_at" timestamptz not null, "order_id" text null, "checkout_quantities" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_cart_order_number_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_deleted_at" ON "svc_cart_order_number" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_order_id" ON "svc_cart_order_number" ("order_id") WHERE order_id IS NOT NULL AND deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_once" ON "svc_cart_order_number" ("cart_id", "order_no", "connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_connection_id_page_order_no" ON "svc_cart_order_number" ("connection_id", "page", "order_no") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_campaign_uid" ON "svc_cart_order_number" ("campaign_uid") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cart_order_number_used_at" ON "svc_cart_order_number" ("used_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_catalog_import" ("id" text not null, "connection_id" text not null, "kind" text check ("kind" in ('import', 'compare')) not null default 'import', "status" text check ("status" in ('running', 'paused', 'completed', 'cancelled', 'failed')) not null default 'running', "force" boolean not null default false, "cursor" text null, "marked_all" boolean not null default false, "total" integer not null default 0, "done" integer not null default 0, "failed" integer not null default 0, "left_out" integer not null default 0, "started_at" timestamptz not null, "resumed_at" timestamptz null, "settled_before" integer not null default 0, "finished_at" timestamptz null, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "again_at" timestamptz null, "error" text null, "settings" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_import_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_import_deleted_at" ON "svc_catalog_import" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_import_connection_id_started_at" ON "svc_catalog_import" ("connection_id", "started_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_import_open_walk" ON "svc_catalog_import" ("connection_id", "kind") WHERE status IN ('running', 'paused') AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_catalog_item" ("id" text not null, "connection_id" text not null, "product_id" text not null, "title" text not null default '', "state" text check ("state" in ('pending', 'synced', 'invalid', 'failed', 'removed')) not null default 'pending', "wanted" integer not null default 1, "acknowledged" integer not null default 0, "acknowledged_hash" text null, "acknowledged_target" text null, "lane" integer not null default 0, "import_id" text null, "force" boolean not null default false, "read_at" timestamptz null, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "reason_params" jsonb null, "last_pushed_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_item_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_deleted_at" ON "svc_catalog_item" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_item_connection_id_product_id_unique" ON "svc_catalog_item" ("connection_id", "product_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_product_id" ON "svc_catalog_item" ("product_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_connection_id_state" ON "svc_catalog_item" ("connection_id", "state") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_due" ON "svc_catalog_item" ("connection_id", "lane", "next_attempt_at") WHERE wanted > acknowledged AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_import" ON "svc_catalog_item" ("import_id") WHERE import_id IS NOT NULL AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_title_id" ON "svc_catalog_item" ("title", "id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_updated_at_id" ON "svc_catalog_item" ("updated_at", "id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_last_pushed_at_id" ON "svc_catalog_item" ("last_pushed_at", "id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_state_id" ON "svc_catalog_item" ("state", "id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_catalog_pace" ("id" text not null, "connection_id" text not null, "calls_per_second" real not null, "batch_size" integer not null, "next_call_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_pace_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_pace_deleted_at" ON "svc_catalog_pace" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_pace_connection_id_unique" ON "svc_catalog_pace" ("connection_id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_catalog_payload" ("id" text not null, "item_id" text not null, "connection_id" text not null, "target" text not null, "payload" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_payload_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_payload_deleted_at" ON "svc_catalog_payload" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_payload_item_id_target_unique" ON "svc_catalog_payload" ("item_id", "target") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_payload_connection_id" ON "svc_catalog_payload" ("connection_id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_connection" ("id" text not null, "name" text not null, "page_uid" text not null, "base_url" text not null, "sales_channel_id" text not null, "region_id" text not null, "storefront_url" text not null, "store_host" text null, "status" text check ("status" in ('unchecked', 'active', 'broken', 'undeclared')) not null default 'unchecked', "token_refused" boolean not null default false, "last_error" jsonb null, "token_accepted_at" timestamptz null, "last_check" jsonb null, "storefront_check" jsonb null, "api_token" text null, "api_token_fingerprint" text null, "api_token_updated_at" timestamptz null, "left_page" jsonb null, "managed_by" text check ("managed_by" in ('admin', 'environment')) not null default 'admin', "declared_at" timestamptz null, "prices_include_vat" boolean not null default true, "promotions" text check ("promotions" in ('allow', 'exclude')) not null default 'allow', "report_settings" jsonb null, "catalog" jsonb null, "feed_token_hash" text null, "feed_token_created_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_connection_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_connection_deleted_at" ON "svc_connection" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_connection_page_uid_base_url_unique" ON "svc_connection" ("page_uid", "base_url") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_connection_sales_channel_id" ON "svc_connection" ("sales_channel_id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_connection_work" ("id" text not null, "connection_id" text not null, "kind" text check ("kind" in ('listings', 'prices', 'subscriber')) not null, "wanted" integer not null default 1, "acknowledged" integer not null default 0, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "reason_params" jsonb null, "cause" text null, "missed_at" timestamptz null, "read_at" timestamptz null, "read_whole" boolean null, "alive_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_connection_work_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_connection_work_deleted_at" ON "svc_connection_work" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_connection_work_connection_id_kind_unique" ON "svc_connection_work" ("connection_id", "kind") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_cursor" ("id" text not null, "name" text not null, "position" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_cursor_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_cursor_deleted_at" ON "svc_cursor" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_cursor_name_unique" ON "svc_cursor" ("name") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_delivery" ("id" text not null, "connection_id" text not null, "dedup_key" text not null, "topic" text not null, "event_uid" text null, "delivery_uid" text null, "occurred_at" timestamptz null, "received_at" timestamptz not null, "outcome" text check ("outcome" in ('received', 'applied', 'stale', 'duplicate', 'quarantined', 'unknown', 'test', 'failed')) not null default 'received', "reason" jsonb null, "repeats" integer not null default 0, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "body" text not null, "record" text null, "state_hash" text null, "body_hash" text not null, "bytes" integer not null, "signed_by" text null, "headers" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_delivery_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_deleted_at" ON "svc_delivery" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_delivery_connection_id_dedup_key_unique" ON "svc_delivery" ("connection_id", "dedup_key") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_connection_id_received_at" ON "svc_delivery" ("connection_id", "received_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_told" ON "svc_delivery" ("connection_id", "event_uid") WHERE record IS NOT NULL AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_received_at_id" ON "svc_delivery" ("received_at", "id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_due" ON "svc_delivery" ("connection_id", "received_at", "id") WHERE outcome = 'received' AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_problem" ON "svc_delivery" ("connection_id", "outcome") WHERE outcome IN ('quarantined', 'unknown', 'failed') AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_event_product" ("id" text not null, "connection_id" text not null, "uid" text not null, "campaign_uid" text not null, "kind" text check ("kind" in ('live', 'shoppable')) not null, "sku" text null, "external_id" text null, "name" text not null default '', "price" numeric null, "suggested_retail_price" numeric null, "available" boolean not null default true, "min_purchase_qty" integer null, "max_qty_per_customer" integer null, "variants" jsonb not null, "deleted_in_svc_at" timestamptz null, "occurred_at" timestamptz not null, "rank" integer not null, "hash" text not null, "emission" text null, "asked" boolean not null default false, "told_at" timestamptz null, "alive_at" timestamptz null, "needs_reread" boolean not null default false, "needs_lookup" boolean not null default false, "shown" boolean not null default true, "heard_at" timestamptz null, "data" jsonb not null, "raw_price" jsonb null, "raw_suggested_retail_price" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_event_product_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_deleted_at" ON "svc_event_product" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_event_product_connection_id_campaign_uid_uid_kind_unique" ON "svc_event_product" ("connection_id", "campaign_uid", "uid", "kind") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_connection_id_external_id" ON "svc_event_product" ("connection_id", "external_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_doubtful" ON "svc_event_product" ("connection_id") WHERE needs_reread AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_lookup" ON "svc_event_product" ("connection_id") WHERE needs_lookup AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_forgotten_carts" ("id" text not null, "connection_id" text not null, "campaign_uid" text not null, "currency_code" text not null, "met_at" timestamptz not null, "carts" integer not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_forgotten_carts_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_forgotten_carts_deleted_at" ON "svc_forgotten_carts" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_forgotten_carts_campaign_uid_connection_id_currency_code_met_at_unique" ON "svc_forgotten_carts" ("campaign_uid", "connection_id", "currency_code", "met_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_hold" ("id" text not null, "connection_id" text not null, "endpoint" text not null, "failures" integer not null default 0, "until" timestamptz null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "reason_params" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_hold_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_hold_deleted_at" ON "svc_hold" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_hold_connection_id_endpoint_unique" ON "svc_hold" ("connection_id", "endpoint") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_ledger_entry" ("id" text not null, "order_id" text not null, "source" text not null, "kind" text not null, "line_item_id" text null, "variant_id" text null, "product_id" text null, "connection_id" text null, "campaign_uid" text null, "quantity" numeric not null, "amount" numeric not null, "tax" numeric not null, "discount" numeric not null, "currency_code" text not null, "occurred_at" timestamptz not null, "counted" boolean not null default true, "raw_quantity" jsonb not null, "raw_amount" jsonb not null, "raw_tax" jsonb not null, "raw_discount" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_ledger_entry_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_deleted_at" ON "svc_ledger_entry" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_order_id_source_unique" ON "svc_ledger_entry" ("order_id", "source") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_campaign_uid_occurred_at" ON "svc_ledger_entry" ("campaign_uid", "occurred_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_ledger_entry_occurred_at_id" ON "svc_ledger_entry" ("occurred_at", "id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_line_price" ("id" text not null, "line_item_id" text not null, "cart_id" text not null, "connection_id" text not null, "campaign_uid" text not null, "order_no" text not null, "product_id" text not null, "variant_id" text not null, "region_id" text null, "amount" numeric not null, "currency_code" text not null, "is_tax_inclusive" boolean not null, "source" text check ("source" in ('lookup', 'webhook')) not null default 'lookup', "answer" jsonb null, "fetched_at" timestamptz not null, "expires_at" timestamptz not null, "held_until" timestamptz null, "held_quantity" numeric null, "moving_at" timestamptz null, "is_open" boolean not null default true, "raw_amount" jsonb not null, "raw_held_quantity" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_line_price_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_deleted_at" ON "svc_line_price" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_line_price_line_item_id_unique" ON "svc_line_price" ("line_item_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_cart_id" ON "svc_line_price" ("cart_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_open" ON "svc_line_price" ("connection_id", "campaign_uid") WHERE is_open AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_line_price_open_expires_at" ON "svc_line_price" ("expires_at") WHERE is_open AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_live_event" ("id" text not null, "connection_id" text not null, "event_id" text not null, "kind" text check ("kind" in ('live', 'shoppable')) not null, "campaign_uid" text not null, "name" text not null default '', "status" text not null default 'planned', "is_published" boolean not null default false, "starts_at" timestamptz null, "live_started_at" timestamptz null, "live_ended_at" timestamptz null, "deadline" timestamptz null, "cover_url" text null, "deleted_in_svc_at" timestamptz null, "occurred_at" timestamptz not null, "rank" integer not null, "hash" text not null, "emission" text null, "asked" boolean not null default false, "told_at" timestamptz null, "alive_at" timestamptz null, "needs_reread" boolean not null default false, "shown" boolean not null default true, "heard_at" timestamptz null, "doubt" jsonb null, "unlisted_at" timestamptz null, "absent_at" timestamptz null, "price_currency" text null, "price_includes_vat" boolean null, "data" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_live_event_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_live_event_deleted_at" ON "svc_live_event" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_live_event_connection_id_event_id_kind_unique" ON "svc_live_event" ("connection_id", "event_id", "kind") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_live_event_connection_id_campaign_uid" ON "svc_live_event" ("connection_id", "campaign_uid") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_live_event_status" ON "svc_live_event" ("status") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_price_change" ("id" text not null, "cart_id" text not null, "line_item_id" text not null, "variant_id" text null, "title" text not null, "old_unit_price" numeric not null, "old_is_tax_inclusive" boolean not null, "currency_code" text not null, "old_quantity" numeric null, "reason" text not null, "reason_params" jsonb null, "removed" boolean not null default false, "sessions_before" jsonb null, "answered_at" timestamptz null, "told_at" timestamptz null, "raw_old_unit_price" jsonb not null, "raw_old_quantity" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_price_change_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_price_change_deleted_at" ON "svc_price_change" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_price_change_untold" ON "svc_price_change" ("cart_id", "line_item_id") WHERE told_at IS NULL AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_refused_delivery" ("id" text not null, "connection_id" text not null, "reason" text not null, "count" integer not null default 0, "last_at" timestamptz not null, "off_ms" integer null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_refused_delivery_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_refused_delivery_deleted_at" ON "svc_refused_delivery" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_refused_delivery_connection_id_reason_unique" ON "svc_refused_delivery" ("connection_id", "reason") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_report_attempt" ("id" text not null, "attribution_id" text not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "outcome" text check ("outcome" in ('unknown', 'accepted', 'refused')) not null default 'unknown', "status" integer null, "code" text null, "message" text null, "excerpt" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_report_attempt_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_report_attempt_deleted_at" ON "svc_report_attempt" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_report_attempt_attribution_id_started_at" ON "svc_report_attempt" ("attribution_id", "started_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_report_attempt_started_at" ON "svc_report_attempt" ("started_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_show_order" ("id" text not null, "order_id" text not null, "cart_id" text null, "display_id" integer null, "currency_code" text not null, "placed_at" timestamptz not null, "version" integer null, "canceled_at" timestamptz null, "unpaid" boolean not null default false, "left_out" text null, "admitted" boolean not null default false, "dirty" boolean not null default true, "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "lease_token" text null, "lease_until" timestamptz null, "made_at" timestamptz null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "reason_params" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_show_order_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_deleted_at" ON "svc_show_order" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_show_order_order_id_unique" ON "svc_show_order" ("order_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_dirty" ON "svc_show_order" ("next_attempt_at", "order_id") WHERE dirty AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_cart_id" ON "svc_show_order" ("cart_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_placed_at" ON "svc_show_order" ("placed_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_beside" ON "svc_show_order" ("order_id") WHERE (unpaid OR canceled_at IS NOT NULL) AND deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_show_order_line" ("id" text not null, "order_id" text not null, "line_item_id" text not null, "connection_id" text not null, "campaign_uid" text not null, "svc_order_no" text not null, "product_id" text null, "variant_id" text null, "unit_price" numeric not null, "proven_price" numeric not null, "is_tax_inclusive" boolean not null, "fetched_at" timestamptz not null, "expires_at" timestamptz not null, "raw_unit_price" jsonb not null, "raw_proven_price" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_show_order_line_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_line_deleted_at" ON "svc_show_order_line" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_show_order_line_line_item_id_unique" ON "svc_show_order_line" ("line_item_id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_show_order_line_order_id" ON "svc_show_order_line" ("order_id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_webhook" ("id" text not null, "connection_id" text not null, "webhook_uid" text null, "subscriber_uid" text null, "name" text null, "url" text null, "topics" jsonb not null, "asked_topics" jsonb null, "custom_headers" jsonb not null, "state" text null, "signature_key" text null, "signature_key_fingerprint" text null, "signature_key_updated_at" timestamptz null, "candidate_key" text null, "key_version" integer not null default 1, "rotation" text null, "rotating_until" timestamptz null, "last_delivery_at" timestamptz null, "clock_skew_ms" integer null, "refreshed_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_webhook_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_webhook_deleted_at" ON "svc_webhook" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_webhook_connection_id_unique" ON "svc_webhook" ("connection_id") WHERE deleted_at IS NULL;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "svc_attribution" cascade;`);

    this.addSql(`drop table if exists "svc_cart_order_number" cascade;`);

    this.addSql(`drop table if exists "svc_catalog_import" cascade;`);

    this.addSql(`drop table if exists "svc_catalog_item" cascade;`);

    this.addSql(`drop table if exists "svc_catalog_pace" cascade;`);

    this.addSql(`drop table if exists "svc_catalog_payload" cascade;`);

    this.addSql(`drop table if exists "svc_connection" cascade;`);

    this.addSql(`drop table if exists "svc_connection_work" cascade;`);

    this.addSql(`drop table if exists "svc_cursor" cascade;`);

    this.addSql(`drop table if exists "svc_delivery" cascade;`);

    this.addSql(`drop table if exists "svc_event_product" cascade;`);

    this.addSql(`drop table if exists "svc_forgotten_carts" cascade;`);

    this.addSql(`drop table if exists "svc_hold" cascade;`);

    this.addSql(`drop table if exists "svc_ledger_entry" cascade;`);

    this.addSql(`drop table if exists "svc_line_price" cascade;`);

    this.addSql(`drop table if exists "svc_live_event" cascade;`);

    this.addSql(`drop table if exists "svc_price_change" cascade;`);

    this.addSql(`drop table if exists "svc_refused_delivery" cascade;`);

    this.addSql(`drop table if exists "svc_report_attempt" cascade;`);

    this.addSql(`drop table if exists "svc_show_order" cascade;`);

    this.addSql(`drop table if exists "svc_show_order_line" cascade;`);

    this.addSql(`drop table if exists "svc_webhook" cascade;`);
  }

}

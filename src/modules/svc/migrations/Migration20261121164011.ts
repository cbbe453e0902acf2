import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261121164011 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_catalog_pace" drop constraint if exists "svc_catalog_pace_connection_id_unique";`);
    this.addSql(`create table if not exists "svc_catalog_pace" ("id" text not null, "connection_id" text not null, "calls_per_second" real not null, "batch_size" integer not null, "next_call_at" timestamptz not null, "hold_until" timestamptz null, "reason_code" text null, "reason_message" text null, "reason_fix" text null, "reason_params" jsonb null, "holds" integer not null default 0, "accepted" integer not null default 0, "refused" integer not null default 0, "version" integer not null default 0, "price_lists_seen_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_pace_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_pace_deleted_at" ON "svc_catalog_pace" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_pace_connection_id_unique" ON "svc_catalog_pace" ("connection_id") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_catalog_payload" ("id" text not null, "connection_id" text not null, "payload" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_catalog_payload_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_payload_deleted_at" ON "svc_catalog_payload" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_payload_connection_id" ON "svc_catalog_payload" ("connection_id") WHERE deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_catalog_import_open";`);

    this.addSql(`alter table if exists "svc_catalog_import" add column if not exists "kind" text check ("kind" in ('import', 'compare')) not null default 'import', add column if not exists "force" boolean not null default false, add column if not exists "open" integer not null default 0, add column if not exists "resumed_at" timestamptz null, add column if not exists "settled_before" integer not null default 0, add column if not exists "not_before" timestamptz null, add column if not exists "lease_token" text null, add column if not exists "lease_until" timestamptz null, add column if not exists "untidy" boolean not null default false;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_import_open_walk" ON "svc_catalog_import" ("connection_id", "kind") WHERE status IN ('running', 'paused') AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_import_untidy" ON "svc_catalog_import" ("id") WHERE untidy AND deleted_at IS NULL;`);

    this.addSql(`alter table if exists "svc_catalog_item" drop column if exists "live";`);

    this.addSql(`alter table if exists "svc_catalog_item" add column if not exists "acknowledged_target" text null, add column if not exists "lane" integer not null default 0, add column if not exists "import_id" text null, add column if not exists "read_at" timestamptz null;`);
    // By hand: the generator took a new column for the renamed old one. Payloads move to their table, and what is known stays known.
    this.addSql(`alter table if exists "svc_catalog_item" add column if not exists "reason_params" jsonb null;`);
    this.addSql(`insert into "svc_catalog_payload" ("id", "connection_id", "payload") select "id", "connection_id", "last_payload" from "svc_catalog_item" where "last_payload" is not null;`);
    this.addSql(`update "svc_catalog_item" item set "acknowledged_target" = connection."base_url" || ' ' || connection."page_uid" from "svc_connection" connection where connection."id" = item."connection_id" and item."acknowledged_hash" is not null;`);
    this.addSql(`alter table if exists "svc_catalog_item" drop column if exists "last_payload";`);
    this.addSql(`update "svc_catalog_item" set "title" = left("title", 200) where length("title") > 200;`);
    // By hand: an import that is open has counted nothing so far, and would never end.
    this.addSql(`update "svc_catalog_import" set "status" = 'cancelled', "finished_at" = now() where "status" in ('running', 'paused');`);
    // By hand: the index went with the column "live"; rows are updated in place while their page has room.
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_due" ON "svc_catalog_item" ("connection_id", "lane", "next_attempt_at") WHERE wanted > acknowledged AND deleted_at IS NULL;`);
    this.addSql(`alter table if exists "svc_catalog_item" set (fillfactor = 75);`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_import" ON "svc_catalog_item" ("import_id") WHERE import_id IS NOT NULL AND deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_title_id" ON "svc_catalog_item" ("title", "id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_updated_at_id" ON "svc_catalog_item" ("updated_at", "id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_last_pushed_at_id" ON "svc_catalog_item" ("last_pushed_at", "id") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_state_id" ON "svc_catalog_item" ("state", "id") WHERE deleted_at IS NULL;`);

    this.addSql(`alter table if exists "svc_connection" add column if not exists "catalog" jsonb null, add column if not exists "feed_token_hash" text null, add column if not exists "feed_token_created_at" timestamptz null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "svc_catalog_pace" cascade;`);

    this.addSql(`drop index if exists "IDX_svc_catalog_import_open_walk";`);
    this.addSql(`drop index if exists "IDX_svc_catalog_import_untidy";`);
    this.addSql(`alter table if exists "svc_catalog_import" drop column if exists "kind", drop column if exists "force", drop column if exists "open", drop column if exists "resumed_at", drop column if exists "settled_before", drop column if exists "not_before", drop column if exists "lease_token", drop column if exists "lease_until", drop column if exists "untidy";`);

    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_catalog_import_open" ON "svc_catalog_import" ("connection_id") WHERE status IN ('running', 'paused') AND deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_catalog_item_import";`);
    this.addSql(`drop index if exists "IDX_svc_catalog_item_title_id";`);
    this.addSql(`drop index if exists "IDX_svc_catalog_item_updated_at_id";`);
    this.addSql(`drop index if exists "IDX_svc_catalog_item_last_pushed_at_id";`);
    this.addSql(`drop index if exists "IDX_svc_catalog_item_state_id";`);
    this.addSql(`alter table if exists "svc_catalog_item" drop column if exists "acknowledged_target", drop column if exists "lane", drop column if exists "import_id", drop column if exists "read_at";`);

    this.addSql(`alter table if exists "svc_catalog_item" add column if not exists "live" boolean not null default true;`);
    this.addSql(`alter table if exists "svc_catalog_item" drop column if exists "reason_params", add column if not exists "last_payload" jsonb null;`);
    this.addSql(`update "svc_catalog_item" item set "last_payload" = kept."payload" from "svc_catalog_payload" kept where kept."id" = item."id";`);
    this.addSql(`drop index if exists "IDX_svc_catalog_item_due";`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_catalog_item_due" ON "svc_catalog_item" ("connection_id", "live", "next_attempt_at") WHERE wanted > acknowledged AND deleted_at IS NULL;`);
    this.addSql(`alter table if exists "svc_catalog_item" reset (fillfactor);`);

    this.addSql(`alter table if exists "svc_connection" drop column if exists "catalog", drop column if exists "feed_token_hash", drop column if exists "feed_token_created_at";`);

    this.addSql(`drop table if exists "svc_catalog_payload" cascade;`);
  }

}

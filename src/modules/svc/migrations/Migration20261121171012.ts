import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261121171012 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_refused_delivery" drop constraint if exists "svc_refused_delivery_connection_id_reason_unique";`);
    this.addSql(`create table if not exists "svc_reconciliation" ("id" text not null, "connection_id" text not null, "cause" text not null, "started_at" timestamptz not null, "finished_at" timestamptz not null, "listed" integer not null, "complete" boolean not null, "found" integer not null, "differences" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_reconciliation_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_reconciliation_deleted_at" ON "svc_reconciliation" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_reconciliation_connection_id_started_at" ON "svc_reconciliation" ("connection_id", "started_at") WHERE deleted_at IS NULL;`);

    this.addSql(`create table if not exists "svc_refused_delivery" ("id" text not null, "connection_id" text not null, "reason" text not null, "count" integer not null default 0, "first_at" timestamptz not null, "last_at" timestamptz not null, "samples" jsonb not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "svc_refused_delivery_pkey" primary key ("id"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_refused_delivery_deleted_at" ON "svc_refused_delivery" ("deleted_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE UNIQUE INDEX IF NOT EXISTS "IDX_svc_refused_delivery_connection_id_reason_unique" ON "svc_refused_delivery" ("connection_id", "reason") WHERE deleted_at IS NULL;`);

    // Written by hand: what is in the tables is carried over, and the index of what is due has other columns.
    this.addSql(`alter table if exists "svc_delivery" add column if not exists "body" text, add column if not exists "body_hash" text, add column if not exists "bytes" integer, add column if not exists "signed_by" text null;`);
    this.addSql(`update "svc_delivery" set "body" = "payload"::text, "body_hash" = encode(sha256(convert_to("payload"::text, 'UTF8')), 'hex'), "bytes" = octet_length("payload"::text);`);
    this.addSql(`alter table if exists "svc_delivery" alter column "body" set not null, alter column "body_hash" set not null, alter column "bytes" set not null;`);
    this.addSql(`alter table if exists "svc_delivery" alter column "reason" type jsonb using (case when "reason" is not null then jsonb_build_object('code', 'earlier', 'message', "reason", 'fix', '') end);`);
    this.addSql(`drop index if exists "IDX_svc_delivery_due";`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_due" ON "svc_delivery" ("connection_id", "received_at", "id") WHERE outcome = 'received' AND deleted_at IS NULL;`);
    this.addSql(`alter table if exists "svc_delivery" drop column if exists "lease_token", drop column if exists "lease_until", drop column if exists "payload";`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_received_at" ON "svc_delivery" ("received_at") WHERE deleted_at IS NULL;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_problem" ON "svc_delivery" ("connection_id", "outcome") WHERE outcome IN ('quarantined', 'unknown', 'failed') AND deleted_at IS NULL;`);

    this.addSql(`alter table if exists "svc_event_product" add column if not exists "sightings" jsonb not null default '[]', add column if not exists "heard_at" timestamptz null;`);
    // Written by hand: a record that is there begins with the one change that it shows.
    this.addSql(`update "svc_event_product" set "hash" = left("hash", 32), "sightings" = jsonb_build_array(jsonb_build_array(null, "rank", left("hash", 32), (extract(epoch from "occurred_at") * 1000)::bigint, (extract(epoch from "occurred_at") * 1000)::bigint));`);
    this.addSql(`alter table if exists "svc_event_product" alter column "sightings" drop default;`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_event_product_doubtful" ON "svc_event_product" ("connection_id") WHERE needs_reread AND deleted_at IS NULL;`);

    this.addSql(`alter table if exists "svc_live_event" add column if not exists "sightings" jsonb not null default '[]', add column if not exists "heard_at" timestamptz null, add column if not exists "doubt" jsonb null, add column if not exists "unlisted_at" timestamptz null, add column if not exists "absent_at" timestamptz null;`);

    // Written by hand: a record that is there begins with the one change that it shows.
    this.addSql(`update "svc_live_event" set "hash" = left("hash", 32), "sightings" = jsonb_build_array(jsonb_build_array(null, "rank", left("hash", 32), (extract(epoch from "occurred_at") * 1000)::bigint, (extract(epoch from "occurred_at") * 1000)::bigint));`);
    this.addSql(`alter table if exists "svc_live_event" alter column "sightings" drop default;`);
    this.addSql(`alter table if exists "svc_webhook" add column if not exists "name" text null, add column if not exists "key_version" integer not null default 1, add column if not exists "rotation" text null, add column if not exists "applying_paused_at" timestamptz null, add column if not exists "alive_at" timestamptz null, add column if not exists "pull_cause" text null, add column if not exists "confirm_at" timestamptz null, add column if not exists "pull_lease_token" text null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "svc_reconciliation" cascade;`);

    this.addSql(`drop table if exists "svc_refused_delivery" cascade;`);

    this.addSql(`drop index if exists "IDX_svc_delivery_received_at";`);
    this.addSql(`drop index if exists "IDX_svc_delivery_problem";`);
    // Written by hand, as above.
    this.addSql(`drop index if exists "IDX_svc_delivery_due";`);
    this.addSql(`alter table if exists "svc_delivery" add column if not exists "lease_token" text null, add column if not exists "lease_until" timestamptz null, add column if not exists "payload" jsonb;`);
    this.addSql(`update "svc_delivery" set "payload" = "body"::jsonb;`);
    this.addSql(`alter table if exists "svc_delivery" alter column "payload" set not null;`);
    this.addSql(`alter table if exists "svc_delivery" alter column "reason" type text using ("reason"->>'message');`);
    this.addSql(`alter table if exists "svc_delivery" drop column if exists "body", drop column if exists "body_hash", drop column if exists "bytes", drop column if exists "signed_by";`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_delivery_due" ON "svc_delivery" ("next_attempt_at") WHERE outcome = 'received' AND deleted_at IS NULL;`);

    this.addSql(`drop index if exists "IDX_svc_event_product_doubtful";`);
    this.addSql(`alter table if exists "svc_event_product" drop column if exists "sightings", drop column if exists "heard_at";`);

    this.addSql(`alter table if exists "svc_live_event" drop column if exists "sightings", drop column if exists "heard_at", drop column if exists "doubt", drop column if exists "unlisted_at", drop column if exists "absent_at";`);

    this.addSql(`alter table if exists "svc_webhook" drop column if exists "name", drop column if exists "key_version", drop column if exists "rotation", drop column if exists "applying_paused_at", drop column if exists "alive_at", drop column if exists "pull_cause", drop column if exists "confirm_at", drop column if exists "pull_lease_token";`);
  }

}

import { Migration } from "@medusajs/framework/mikro-orm/migrations";

/**
 * Sums of ledger entries and counts of carts per quarter of an hour. Written by hand, because it has no model: our own
 * statements keep it together with the ledger, and nothing reads a single row of it.
 */
export class Migration20261121184554 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`create table if not exists "svc_sales_quarter" ("connection_id" text not null, "campaign_uid" text not null, "currency_code" text not null, "product_id" text not null, "quarter" timestamptz not null, "orders" integer not null default 0, "cancelled_orders" integer not null default 0, "units" numeric not null default 0, "gross" numeric not null default 0, "discounts" numeric not null default 0, "refunded" numeric not null default 0, "tax" numeric not null default 0, "net" numeric not null default 0, "baskets" integer not null default 0, constraint "svc_sales_quarter_pkey" primary key ("connection_id", "campaign_uid", "currency_code", "product_id", "quarter"));`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_sales_quarter_quarter" ON "svc_sales_quarter" ("quarter");`);
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "svc_sales_quarter" cascade;`);
  }

}

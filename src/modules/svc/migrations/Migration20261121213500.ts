import { Migration } from "@medusajs/framework/mikro-orm/migrations";

/**
 * Keeps a campaign's money in its row without a product as well, so that a question about campaigns or days reads one row
 * for each quarter of an hour, and not one for each product. Written by hand, because the table has no model.
 */
export class Migration20261121213500 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table "svc_sales_quarter" rename column "baskets" to "carts";`);
    this.addSql(`insert into "svc_sales_quarter" ("connection_id", "campaign_uid", "currency_code", "product_id", "quarter", "units", "gross", "discounts", "refunded", "tax", "net") select "connection_id", "campaign_uid", "currency_code", '', "quarter", sum("units"), sum("gross"), sum("discounts"), sum("refunded"), sum("tax"), sum("net") from "svc_sales_quarter" where "product_id" <> '' group by "connection_id", "campaign_uid", "currency_code", "quarter" on conflict ("connection_id", "campaign_uid", "currency_code", "product_id", "quarter") do update set "units" = excluded."units", "gross" = excluded."gross", "discounts" = excluded."discounts", "refunded" = excluded."refunded", "tax" = excluded."tax", "net" = excluded."net";`);
    this.addSql(`CREATE INDEX IF NOT EXISTS "IDX_svc_sales_quarter_whole" ON "svc_sales_quarter" ("quarter") WHERE product_id = '';`);
  }

  override async down(): Promise<void> {
    this.addSql(`DROP INDEX IF EXISTS "IDX_svc_sales_quarter_whole";`);
    this.addSql(`update "svc_sales_quarter" set "units" = 0, "gross" = 0, "discounts" = 0, "refunded" = 0, "tax" = 0, "net" = 0 where "product_id" = '';`);
    this.addSql(`alter table "svc_sales_quarter" rename column "carts" to "baskets";`);
  }

}

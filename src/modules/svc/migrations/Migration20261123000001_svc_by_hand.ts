import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * What models cannot say. `npm run migration` makes the file beside this one anew from the models and leaves this one
 * alone: it is written by hand.
 */
export class Migration20261123000001_svc_by_hand extends Migration {
  override async up(): Promise<void> {
    // Rows of products are written often: an update in place needs room in the row's page, and no index entry.
    this.addSql(`alter table "svc_catalog_item" set (fillfactor = 75);`)
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_catalog_item" reset (fillfactor);`)
  }
}

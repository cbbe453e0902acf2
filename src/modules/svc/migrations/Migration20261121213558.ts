import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261121213558 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_connection" add column if not exists "token_accepted_at" timestamptz null, add column if not exists "last_check" jsonb null;`);
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists "svc_connection" drop column if exists "token_accepted_at", drop column if exists "last_check";`);
  }

}

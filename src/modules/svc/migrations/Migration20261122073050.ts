import { Migration } from "@medusajs/framework/mikro-orm/migrations";

export class Migration20261122073050 extends Migration {

  override async up(): Promise<void> {
    this.addSql(`alter table if exists "svc_connection" drop constraint if exists "svc_connection_status_check";`);

    this.addSql(`alter table if exists "svc_connection" add constraint "svc_connection_status_check" check("status" in ('active', 'broken', 'undeclared'));`);
    this.addSql(`update "svc_connection" set "status" = 'undeclared' where "status" = 'broken' and "last_error"->>'code' = 'undeclared';`);
  }

  override async down(): Promise<void> {
    this.addSql(`update "svc_connection" set "status" = 'broken' where "status" = 'undeclared';`);
    this.addSql(`alter table if exists "svc_connection" drop constraint if exists "svc_connection_status_check";`);

    this.addSql(`alter table if exists "svc_connection" add constraint "svc_connection_status_check" check("status" in ('active', 'broken'));`);
  }

}

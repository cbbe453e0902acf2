import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/**
 * Has the database refuse what is written to a table until `work` is done, as a full disk would.
 *
 * @param writes `INSERT OR UPDATE ON` a table
 * @param when SQL on the row, where only some are refused
 */
export async function whileRefusing<Done>(
  knex: Knex,
  writes: string,
  message: string,
  work: () => Promise<Done>,
  when = "true",
): Promise<Done> {
  await knex.raw(`
    CREATE FUNCTION refuse_rows() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION '${message}'; END $$;
    CREATE TRIGGER refuse_rows BEFORE ${writes}
      FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION refuse_rows()`)
  try {
    return await work()
  } finally {
    await knex.raw("DROP FUNCTION refuse_rows CASCADE")
  }
}

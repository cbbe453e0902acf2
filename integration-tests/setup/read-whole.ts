/** Statements that no index can serve, in a store that has many rows; tables of a test are too small to show it by time. */
import type { Knex } from "@medusajs/framework/mikro-orm/knex"

type Statement = { sql: string; bindings?: readonly Knex.RawBinding[] }

/** What the store asks of its database while something is done, with one of these pools, in its order. */
export async function recorded(pools: Knex[], work: () => Promise<unknown>): Promise<Statement[]> {
  const seen: Statement[] = []
  const note = ({ sql, bindings }: Statement) => void seen.push({ sql, bindings })
  for (const knex of pools) knex.on("query", note)
  try {
    await work()
  } finally {
    for (const knex of pools) knex.removeListener("query", note)
  }
  return seen
}

/** Each statement of them once that reads or changes rows. */
export async function statementsOf(
  pools: Knex[],
  work: () => Promise<unknown>,
): Promise<Statement[]> {
  const seen = await recorded(pools, work)
  const ofRows = seen.filter(({ sql }) => /^\s*(select|with|insert|update|delete)\b/i.test(sql))
  return [...new Map(ofRows.map((statement) => [statement.sql, statement])).values()]
}

/** How Postgres would go about a statement, or part of a transaction. */
export async function planOf(knex: Knex, statement: Statement | undefined): Promise<string> {
  const { rows } = await knex.raw<{ rows: { "QUERY PLAN": string }[] }>(
    `EXPLAIN ${statement?.sql.replace(/\$\d+/g, "?")}`,
    [...(statement?.bindings ?? [])],
  )
  return rows.map((row) => row["QUERY PLAN"]).join("\n")
}

/** The plugin's own statements that can only read a table from its beginning to its end, with those of the tables named. */
export async function readWhole(
  knex: Knex,
  statements: Statement[],
  tables: string,
): Promise<[string[], string][]> {
  const wrong: [string[], string][] = []
  for (const statement of statements.filter(({ sql }) => sql.includes("svc_"))) {
    const plan = await knex.transaction(async (trx) => {
      await trx.raw("SET LOCAL enable_seqscan = off")
      return planOf(trx, statement)
    })
    const found = [...plan.matchAll(new RegExp(`Seq Scan on ((?:${tables})\\b.*)`, "g"))]
    if (found.length > 0) wrong.push([found.map(([, table]) => table ?? ""), statement.sql])
  }
  return wrong
}

/**
 * A database as it was at one moment, to be put back before each test: only the tables that were written to since, which
 * takes some milliseconds. A copy of the whole, which is a thousand files, takes a hundred times as long; it is for tests
 * that change the schema.
 */
import { Client, type DatabaseError } from "@medusajs/framework/pg"
import {
  createPostgresDatabaseTemplate,
  dropPostgresDatabaseTemplate,
  restorePostgresDatabaseFromTemplate,
} from "@medusajs/test-utils"

/** What changes whenever a row does: every insert and update has a transaction's number, and they only grow. */
type State = { rows: string; last: string | null; sum: string | null }
type Table = { name: string; columns: string; values: string[]; state: State }
type Sequence = { name: string; value: string; called: boolean }

/** What all rows and sequences were. */
export type Moment = { tables: Table[]; sequences: Sequence[] }

export type Snapshot = {
  /** To what was when this was taken or, where it is given, to a later moment. */
  restore: (moment?: Moment) => Promise<void>
  /** What is now; null where the database does not let rows be put back, but only the whole. */
  now: () => Promise<Moment | null>
  drop: () => Promise<void>
}

/**
 * Any change of a schema is in one of these. Statistics and vacuum leave the transactions of their rows alone; what is
 * defined is the same again once a test has dropped what it made, though rows were written anew.
 */
const DEFINED = {
  class: "oid, relname",
  attribute: "attrelid, attnum, attname, atttypid, attnotnull, attisdropped",
  attrdef: "oid",
  index: "indexrelid, indisvalid",
  constraint: "oid, conname, convalidated",
  trigger: "oid, tgenabled",
  proc: "oid, prosrc",
  type: "oid",
}

const DEADLOCK = "40P01"

const TABLES = `
  SELECT format('%I.%I', nspname, relname) AS name,
    (SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
     WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = '') AS columns
  FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
  WHERE relkind = 'r' AND nspname !~ '^pg_' AND nspname <> 'information_schema' ORDER BY 1`

async function rowsOf<Row>(client: Client, text: string, values?: unknown[]): Promise<Row[]> {
  return (await client.query(text, values)).rows as Row[]
}

/** @param name of the statement, which is planned once for each connection */
async function statesOf(client: Client, name: string, tables: string[]): Promise<State[]> {
  const selects = tables.map(
    (table, index) =>
      `SELECT ${index} AS index, count(*)::text AS rows, max(xmin::text::bigint)::text AS last,
       sum(xmin::text::bigint)::text AS sum FROM ${table}`,
  )
  const text = `${selects.join(" UNION ALL ")} ORDER BY 1`
  const { rows: states } = await client.query<State>({ name, text })
  return states.map(({ rows, last, sum }) => ({ rows, last, sum }))
}

const isSame = (one: State, other: State | undefined) =>
  one.rows === other?.rows && one.last === other.last && one.sum === other.sum

const schemaOf = async (client: Client) =>
  JSON.stringify(
    await statesOf(
      client,
      "schema",
      Object.keys(DEFINED).map((name) => `pg_catalog.pg_${name}`),
    ),
  )

const definitionsOf = async (client: Client) =>
  JSON.stringify(
    await rowsOf(
      client,
      Object.entries(DEFINED)
        .map(
          ([name, columns]) =>
            `SELECT md5(string_agg(row(${columns})::text, ' ' ORDER BY row(${columns}))) FROM pg_catalog.pg_${name}`,
        )
        .join(" UNION ALL "),
    ),
  )

const sequencesOf = (client: Client, names: string[]) =>
  names.length === 0
    ? Promise.resolve([])
    : rowsOf<Sequence>(
        client,
        names
          .map(
            (name) =>
              `SELECT '${name}' AS name, last_value AS value, is_called AS called FROM ${name}`,
          )
          .join(" UNION ALL "),
      )

/** All at one moment. */
async function readTables(client: Client): Promise<Table[]> {
  await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ")
  const found = await rowsOf<{ name: string; columns: string }>(client, TABLES)
  const states = await statesOf(
    client,
    "tables",
    found.map(({ name }) => name),
  )
  const tables: Table[] = []
  for (const [index, { name, columns }] of found.entries()) {
    const state = states[index]
    if (!state) throw new Error(`${name} was not read`)
    const [read] =
      state.rows === "0"
        ? []
        : await rowsOf<{ values: string[] }>(
            client,
            `SELECT array_agg(whole_row::text) AS values FROM ${name} AS whole_row`,
          )
    tables.push({ name, columns, values: read?.values ?? [], state })
  }
  await client.query("COMMIT")
  return tables
}

/** In the order in which they were, so that a query without an order answers as before. */
async function putBack(client: Client, tables: Table[]): Promise<void> {
  await client.query("BEGIN")
  // Tables that refer to each other are put back one after the other.
  await client.query("SET LOCAL session_replication_role = replica")
  const states = await statesOf(
    client,
    "tables",
    tables.map(({ name }) => name),
  )
  const [transaction] = await rowsOf<{ id: string }>(
    client,
    "SELECT pg_current_xact_id()::xid::text AS id",
  )
  const id = BigInt(transaction?.id ?? 0)
  for (const [index, table] of tables.entries()) {
    if (isSame(table.state, states[index])) continue
    const { name, columns, values } = table
    await client.query(`DELETE FROM ${name}`)
    if (values.length === 0) {
      table.state = { rows: "0", last: null, sum: null }
      continue
    }
    await client.query(
      `INSERT INTO ${name} (${columns}) OVERRIDING SYSTEM VALUE
       SELECT ${columns} FROM unnest($1::${name}[])`,
      [values],
    )
    const rows = BigInt(values.length)
    // Not read again: what somebody else writes meanwhile is to be found the next time.
    table.state = { rows: String(rows), last: String(id), sum: String(rows * id) }
  }
  await client.query("COMMIT")
}

/** @param url of the database, which nothing else works on while this is made */
export async function takeSnapshot(url: string): Promise<Snapshot> {
  const databaseName = new URL(url).pathname.slice(1)
  const templateName = `${databaseName}_before`
  await createPostgresDatabaseTemplate({ databaseName, templateName })

  const connect = async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    return client
  }
  let client = await connect()
  let schema = await schemaOf(client)
  const definitions = await definitionsOf(client)
  const [{ allowed } = { allowed: false }] = await rowsOf<{ allowed: boolean }>(
    client,
    "SELECT has_parameter_privilege('session_replication_role', 'SET') AS allowed",
  )
  const read = await readTables(client)
  let tables = read.map((table) => ({ ...table }))
  const names = await rowsOf<{ name: string }>(
    client,
    "SELECT format('%I.%I', schemaname, sequencename) AS name FROM pg_sequences",
  )
  const sequenceNames = names.map(({ name }) => name)
  const sequences = await sequencesOf(client, sequenceNames)
  /**
   * What others have begun ends unfinished, and their locks with it. A connection that only stands open is left: it knows
   * the tables already, which each new one takes longer to learn than a test takes.
   */
  const endOthers = () =>
    client.query(
      `SELECT pg_terminate_backend(pid, 30000) FROM pg_stat_activity other
       WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'
         AND (state IS DISTINCT FROM 'idle'
           OR EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = other.pid AND locktype = 'advisory'))`,
    )

  /**
   * What others begin once they were ended may hold one row that is put back, and wait for another: the database ends one of
   * the two.
   */
  const putBackAfterOthers = async (tables: Table[]) => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await putBack(client, tables)
      } catch (error) {
        await client.query("ROLLBACK")
        if (tries === 5 || (error as DatabaseError).code !== DEADLOCK) throw error
        await endOthers()
      }
    }
  }

  const restoreRows = async (moment: Moment) => {
    await putBackAfterOthers(moment.tables)
    for (const now of await sequencesOf(client, sequenceNames)) {
      const { value, called } = moment.sequences.find(({ name }) => name === now.name) ?? now
      if (value === now.value && called === now.called) continue
      await client.query("SELECT setval($1, $2, $3)", [now.name, value, called])
    }
  }

  const isDefinedAsBefore = async () => {
    const now = await schemaOf(client)
    if (now === schema) return true
    if ((await definitionsOf(client)) !== definitions) return false
    schema = now
    return true
  }

  return {
    async restore(moment) {
      await endOthers()
      if (moment) return await restoreRows(moment)
      if (allowed && (await isDefinedAsBefore())) return await restoreRows({ tables, sequences })
      await client.end()
      await restorePostgresDatabaseFromTemplate({ databaseName, templateName })
      client = await connect()
      schema = await schemaOf(client)
      tables = read.map((table) => ({ ...table }))
    },
    now: async () =>
      allowed
        ? {
            tables: await readTables(client),
            sequences: await sequencesOf(client, sequenceNames),
          }
        : null,
    async drop() {
      await client.end()
      await dropPostgresDatabaseTemplate(templateName)
    },
  }
}

import { readdirSync } from "node:fs"
import { join } from "node:path"
import { Client } from "@medusajs/framework/pg"
import type { Sync } from "../../api/admin/svc/connections/[id]/sync/view"
import type { PaidCart, Uninstall } from "../../api/admin/svc/uninstall/view"
import type { Command, Outcome, Task } from "../command"
import { CommandError, EXIT, messageOf } from "../exit"
import type { StoreClient } from "../store-client"
import { exportFile } from "./export"
import { sendCatalog } from "./sync"

/**
 * Leaves the service, in two steps, because a store that runs with the plugin needs its tables. The first is done by the
 * running store; the second, once that was started without the plugin, on the database.
 */
export const uninstall: Command = {
  usage: [
    "uninstall [--apply] [--export <file>] [--disable-products] [--leave-paid-carts]",
    "leave the service; run once with the store, and once more with DATABASE_URL when it runs without the plugin; without --apply a dry run",
  ],
  options: {
    apply: { type: "boolean" },
    export: { type: "string" },
    "disable-products": { type: "boolean" },
    "leave-paid-carts": { type: "boolean" },
  },
  async run(task) {
    const loaded = await task.store
      .post<{ uninstall: Uninstall }>(ROUTE, { dry_run: true })
      .catch((error: CommandError) => {
        // A store that runs without the plugin knows no such address. One that is silent may be anything.
        if (error.code === "http_404") return null
        throw error
      })
    if (loaded) return leave(task, loaded.uninstall)
    return dropTables(task)
  },
}

const ROUTE = "/admin/svc/uninstall"
/** For how long a market is waited for whose service does not answer, or refuses. */
const PATIENCE_MS = 60_000
/** What only a store that runs with the plugin can do: in the second step it would be lost without a word. */
const OF_THE_FIRST_STEP = ["export", "disable-products", "leave-paid-carts"]
const NEXT =
  "Take the plugin out of medusa-config.ts, restart the store, and run this once more with DATABASE_URL: then the tables go."

type Connected = Uninstall["connections"][number]

async function leave(task: Task, before: Uninstall): Promise<Outcome> {
  const { store, values, say } = task
  for (const { name, ...webhook } of before.connections) say(`${name}: ${webhookLine(webhook)}`)
  if (before.orders_waiting > 0)
    say(`Orders that the service was not told of yet, and will not be: ${before.orders_waiting}`)
  const leavesPaid = values["leave-paid-carts"] === true
  if (values.apply !== true) {
    for (const cart of before.paid_carts) say(paidLine(cart))
    const carts = before.carts + before.paid_carts.length
    say(`${carts} open baskets have a show's price. Nothing was changed; add --apply.`)
    return { result: { step: "service", ...before }, exit: EXIT.ok }
  }
  // On stderr, with `--json` too: where the answer that names them is lost, nobody would hear of them again.
  if (leavesPaid) for (const cart of before.paid_carts) process.stderr.write(`${paidLine(cart)}\n`)
  if (typeof values.export === "string") {
    await exportFile.run({ ...task, values: { out: values.export }, words: ["ledger"] })
  }
  if (values["disable-products"]) await disableProducts(task)
  const seen: Pick<Uninstall, "webhooks_left" | "paid_carts"> = {
    webhooks_left: [],
    paid_carts: [],
  }
  const pass = async () => {
    const { uninstall } = await store.post<{ uninstall: Uninstall }>(ROUTE, {
      dry_run: false,
      leave_paid_carts: leavesPaid,
    })
    for (const { webhook_uid, url, message } of uninstall.webhooks_left)
      say(
        `The webhook ${webhook_uid ?? `to ${url}`} may still be at the service: ${message}\n  → If it is, remove it there, unless another store uses it.`,
      )
    // What a pass has left for good, the next one does not know.
    seen.webhooks_left.push(...uninstall.webhooks_left)
    if (leavesPaid) seen.paid_carts.push(...uninstall.paid_carts)
    else seen.paid_carts = uninstall.paid_carts
    return uninstall
  }
  let after = await pass()
  // A pass puts back what fits into its time.
  for (let carts = Number.POSITIVE_INFINITY; after.carts > 0 && after.carts < carts; ) {
    carts = after.carts
    after = await pass()
  }
  // The last pass finds what is left, and no longer what was there.
  const { connections, orders_waiting } = before
  const result = { step: "service", ...after, ...seen, connections, orders_waiting }
  const problem = problemOf(leavesPaid ? { ...after, paid_carts: [] } : after)
  if (problem) return { result, problem, exit: EXIT.problem }
  if (leavesPaid) {
    for (const cart of seen.paid_carts) say(`${paidLine(cart)}; it is left as it is.`)
  }
  if (typeof values.export === "string")
    say(
      `${values.export} lacks what is booked from now on: export the ledger once more before you take the plugin out.`,
    )
  say(`Disconnected; no other open basket has a show's price.\n→ ${NEXT}`)
  return { result, exit: EXIT.ok }
}

type Rules = {
  id: string
  name: string
  managed_by: string
  catalog: { include?: { metadata?: Record<string, string> } | null } | null
}

/** Whether its rule is the one by which the store sends nothing (`sendNothing`), and not the merchant's own. */
const isReplaced = ({ catalog }: Rules) => catalog?.include?.metadata?.svc_uninstall !== undefined

const rulesOf = async (store: StoreClient) =>
  (await store.get<{ connections: Rules[] }>("/admin/svc/connections?limit=1000")).connections

/** On stderr, with `--json` too: whoever ends the command in the middle has to have read it. */
const tell = ({ name }: Rules, line: string) => process.stderr.write(`${name}: ${line}\n`)

/** What puts a connection's own rule back. */
const ownRule = ({ id, catalog }: Rules) => ({
  path: `/admin/svc/connections/${id}`,
  body: { catalog: { include: catalog?.include ?? null } },
})

/** Tells the service that no product is for sale, or puts the merchant's own rules back. */
async function disableProducts(task: Task): Promise<void> {
  const { store } = task
  const before = await rulesOf(store)
  for (const one of before) await assertNoImport(store, one)
  for (const one of before) {
    const { path, body } = ownRule(one)
    if (one.managed_by === "environment") {
      tell(one, "which products it sends is declared in medusa-config.ts.")
    } else if (isReplaced(one)) {
      tell(
        one,
        "an earlier run has replaced its rule of which products it sends, and printed what puts it back. What it was is not known any more.",
      )
    } else {
      tell(
        one,
        `sends no product from now on. What puts it back: POST ${path} ${JSON.stringify(body)}`,
      )
    }
  }
  try {
    await store.post(ROUTE, { dry_run: false, products: "disable" })
    const told: Rules[] = []
    for (const one of before) if (await hasProducts(store, one)) told.push(one)
    const { exit, problem } = await sendCatalog({ ...task, values: {} }, told, PATIENCE_MS)
    if (problem) throw problem
    // Where another rule has come back meanwhile, products were told as for sale again.
    if (exit === EXIT.ok && (await rulesOf(store)).every(isReplaced)) return
    throw new CommandError(
      "products_not_disabled",
      "Not every product could be told to the service as disabled. Nothing was disconnected.",
      "Run it again once no import runs (or end that on the connection's page; if nothing moves, GET /admin/svc/health says why), or run it without --disable-products: products then stay at the service as they are.",
      EXIT.problem,
    )
  } catch (error) {
    await putBack(
      store,
      before.filter((one) => !isReplaced(one)),
    )
    throw error
  }
}

/**
 * An import that runs, or is paused, may have begun with the merchant's own rule: what it has compared is told by that one.
 *
 * @throws CommandError `sync_running`, before anything is changed
 */
async function assertNoImport(store: StoreClient, { id, name }: Rules): Promise<void> {
  const { sync } = await store.get<{ sync: Sync }>(`/admin/svc/connections/${id}/sync`)
  if (sync.status !== "running" && sync.status !== "paused") return
  throw new CommandError(
    "sync_running",
    `${name}: an import of the catalog ${sync.status === "running" ? "runs" : "is paused"}. Nothing was changed.`,
    "Wait for its end, or end it, on the page of the connection; and run this again.",
    EXIT.problem,
  )
}

/** To one that knows no product nothing was told; to import it would be to begin with it. */
const hasProducts = async (store: StoreClient, { id }: Rules) =>
  (await store.get<{ count: number }>(`/admin/svc/products?connection_id=${id}&limit=1`)).count > 0

/** Never throws: why nobody was told is what has to be read. */
async function putBack(store: StoreClient, before: Rules[]): Promise<void> {
  const now = await rulesOf(store).catch(() => null)
  for (const one of before) {
    // It was never replaced, or somebody has set another meanwhile.
    if (now && !now.some((row) => row.id === one.id && isReplaced(row))) continue
    if (one.managed_by === "environment") {
      tell(one, `what medusa-config.ts declares applies again in about ten minutes. ${UNTIL_TAKEN}`)
      continue
    }
    const { path, body } = ownRule(one)
    try {
      await store.post(path, body)
      tell(one, `its own rule applies again. ${UNTIL_TAKEN}`)
    } catch (error) {
      tell(
        one,
        `still sends no product (${messageOf(error)}). What puts it back: POST ${path} ${JSON.stringify(body)}`,
      )
    }
  }
}

const UNTIL_TAKEN =
  "Products that were told as not for sale stay so until the service takes the change."

function webhookLine(webhook: Pick<Connected, "webhook_uid" | "webhook_url">): string {
  if (webhook.webhook_uid) return `webhook ${webhook.webhook_uid}`
  return webhook.webhook_url
    ? `a webhook to ${webhook.webhook_url}, of which it is not certain whether it was registered`
    : "no webhook that was made from here"
}

function paidLine({ cart_id, payments }: PaidCart): string {
  const isPaid = payments.some(({ is_made }) => is_made)
  const paid = isPaid ? "was paid" : "may have been paid (its provider does not say)"
  const by = payments.map(
    (one) => `${one.amount} ${one.currency_code} with ${one.provider_id} (${one.id})`,
  )
  return `The basket ${cart_id} ${paid} and never ordered: ${by.join(", ")}`
}

/** Why the first step has to be run once more; null where it is done. */
function problemOf({ connections_left, carts, paid_carts }: Uninstall): CommandError | null {
  const problem = (code: string, message: string, fix: string) =>
    new CommandError(code, message, fix, EXIT.problem)
  if (connections_left.length > 0) {
    return problem(
      "connections_left",
      `Still connected: ${connections_left.map(({ name, message }) => `${name} (${message})`).join(", ")}.`,
      "Run it again; the store's log says more.",
    )
  }
  if (carts > 0) {
    return problem(
      "carts_left",
      `${carts} open baskets still have a show's price: they are just being paid, or could not be changed.`,
      "Run it again in a quarter of an hour; the store's log names baskets that could not be changed.",
    )
  }
  if (paid_carts.length === 0) return null
  return problem(
    "paid_carts_left",
    paid_carts.map(paidLine).join("\n"),
    "Place their orders or give the money back, and run it again; or leave them as they are: --leave-paid-carts.",
  )
}

type UndoneMigration = new () => { down: () => Promise<void>; getQueries: () => string[] }

/** What the migrations made is what they take back, newest first; and Medusa must not take them for made. */
async function undoMigrations(): Promise<{ names: string[]; statements: string[] }> {
  const folder = join(__dirname, "../../modules/svc/migrations")
  const files = readdirSync(folder).filter((file) => /^Migration.*\.[jt]s$/.test(file))
  const names: string[] = []
  const statements: string[] = []
  for (const file of files.sort().reverse()) {
    const name = file.replace(/\.[jt]s$/, "")
    const Migration = (require(join(folder, file)) as Record<string, UndoneMigration>)[name]
    if (!Migration) throw new Error(`${file} has no ${name}.`)
    const migration = new Migration()
    await migration.down()
    names.push(name)
    statements.push(...migration.getQueries())
  }
  return { names, statements }
}

async function dropTables({ values, say, store }: Task): Promise<Outcome> {
  const late = OF_THE_FIRST_STEP.filter((name) => values[name] !== undefined)
  if (late.length > 0) {
    throw new CommandError(
      "store_without_plugin",
      `The store runs without the plugin, which --${late.join(" and --")} needs. Nothing was changed.`,
      "Start the store with the plugin once more for that, or leave it out: then the tables go, with what is in them.",
      EXIT.usage,
    )
  }
  const { DATABASE_URL } = process.env
  if (!DATABASE_URL) {
    throw new CommandError(
      "database_url_missing",
      "The store runs without the plugin, and DATABASE_URL is not set.",
      "Set DATABASE_URL to the store's database for the last step.",
      EXIT.usage,
    )
  }
  // A gateway's 404 says nothing of the plugin: only Medusa answers this, and says whose database it must be.
  const { stores } = await store.get<{ stores: { id: string }[] }>("/admin/stores?limit=100")
  const { names, statements } = await undoMigrations()
  const client = new Client({ connectionString: DATABASE_URL })
  await client.connect().catch(elsewhere)
  try {
    await client.query("BEGIN")
    await assertDatabaseOf(stores, client)
    const { rows: all } = await client.query<{ name: string; rows: string }>(
      `SELECT relname AS name, greatest(reltuples, 0)::bigint AS rows FROM pg_class
       WHERE relkind = 'r' AND pg_table_is_visible(oid) AND relname LIKE 'svc\\_%' ORDER BY relname`,
    )
    // Another one's table may begin like ours.
    const tables = all.filter(({ name }) => statements.some((text) => text.includes(`"${name}"`)))
    if (tables.some(({ name }) => name === "svc_connection")) await assertLeft(client)
    for (const { name, rows } of tables) say(`${name}: about ${rows} rows`)
    if (values.apply === true) {
      for (const statement of statements) await client.query(statement)
      await client.query("DELETE FROM mikro_orm_migrations WHERE name = ANY($1)", [names])
    }
    await client.query("COMMIT")
    say(
      values.apply === true
        ? `${tables.length} tables are gone. Uninstall the package: npm uninstall medusa-plugin-svc`
        : `${tables.length} tables would be dropped. Nothing was changed; add --apply.`,
    )
    return { result: { step: "tables", tables: tables.map(({ name }) => name) }, exit: EXIT.ok }
  } finally {
    await client.end()
  }
}

/** The command reads nothing of medusa-config.ts, where a store may say more of its database than its address. */
const elsewhere = (error: Error): never => {
  throw new CommandError(
    "database_not_read",
    `The store's tables cannot be read at DATABASE_URL: ${messageOf(error)}.`,
    "Check it. Where medusa-config.ts sets databaseSchema or TLS, DATABASE_URL has to say so, too: ?options=-c%20search_path%3Dmy_schema, ?sslmode=require (or no-verify).",
    EXIT.usage,
  )
}

/** @throws CommandError where the database is another store's than the one that answers */
async function assertDatabaseOf(stores: { id: string }[], client: Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>("SELECT id FROM store").catch(elsewhere)
  if (rows.some(({ id }) => stores.some((store) => store.id === id))) return
  throw new CommandError(
    "other_database",
    "DATABASE_URL is not the database of the store that answers.",
    "Check --url (or MEDUSA_BACKEND_URL) and DATABASE_URL: nothing was changed.",
    EXIT.usage,
  )
}

/** @throws CommandError where the first step was not done: its webhooks and baskets would be left */
async function assertLeft(client: Client): Promise<void> {
  const { rows } = await client.query<{ connections: number; carts: number }>(
    `SELECT (SELECT count(*)::int FROM svc_connection WHERE deleted_at IS NULL) AS connections,
       (SELECT count(DISTINCT price.cart_id)::int FROM svc_line_price price
        JOIN cart_line_item item ON item.id = price.line_item_id AND item.deleted_at IS NULL
        JOIN cart ON cart.id = price.cart_id AND cart.deleted_at IS NULL AND cart.completed_at IS NULL
        WHERE price.is_open AND price.deleted_at IS NULL) AS carts`,
  )
  const [left] = rows
  if (!left || left.connections + left.carts === 0) return
  throw new CommandError(
    "not_left_yet",
    `${left.connections} connections are still there, and ${left.carts} open baskets with a show's price.`,
    "Start the store with the plugin and run uninstall --apply for the first step.",
    EXIT.problem,
  )
}

import { useEffect, useRef } from "react"
import { type Query, svcFetch } from "../../lib/client"
import type {
  Connection,
  ConnectionCheck,
  Feed,
  Finding,
  Page,
  Preview,
  Reading,
  Setup,
  Sync,
  TestDelivery,
  Webhook,
} from "../../lib/types"
import { post, remove, useAnswer, useForget, usePress, useRenew } from "./request"

export const pathOf = (connectionId: string) => `/connections/${connectionId}`
const syncPath = (connectionId: string) => `${pathOf(connectionId)}/sync`
export const webhookPath = (connectionId: string) => `${pathOf(connectionId)}/webhook`

/** Names are looked up in one page: a store has a connection per market, and hardly 200 markets. */
const ALL_CONNECTIONS: Query = { limit: 200, order: "name" }

export const useConnections = () =>
  useAnswer<{ connections: Connection[] } & Page>("/connections", { query: ALL_CONNECTIONS })

const HELD_MS = 2_000

/** @param held an import waits for what may be the connection's own fault: meanwhile the page must not call it good */
export const useConnection = (id: string, held = false) =>
  useAnswer<{ connection: Connection }>(pathOf(id), { again: () => held && HELD_MS })

/** Asks the service now. A failed check is an answer, not an error. */
export const useCheckConnection = (id: string) =>
  usePress<{ connection: Connection; check: ConnectionCheck }>(() => post(`${pathOf(id)}/check`))

/** Asks a service with an address and a token that are not saved yet. */
export const useTryService = () =>
  usePress<{ check: ConnectionCheck }, { base_url: string; api_token: string }>(
    (body) => post("/service-check", body),
    { showsError: true },
  )

export function useDeleteConnection(id: string, done: () => void) {
  const forget = useForget()
  return usePress<{ id: string }>(() => remove(pathOf(id)), {
    done: () => {
      done()
      // After the page of it is left: else its questions would be asked once more.
      forget(pathOf(id))
    },
  })
}

/** Opens the feed, with a password that is shown this once, or closes it. */
export const useFeed = (id: string) =>
  usePress<{ feed?: Feed }, "open" | "close">(
    (change) => (change === "open" ? post : remove)(`${pathOf(id)}/feed`),
    { showsError: true },
  )

/** Counts what an import would send, with the settings as they are saved: those that it is pressed with. Nothing is sent. */
export const usePreview = (id: string) =>
  usePress<{ preview: Preview }, string>(() => post(`${syncPath(id)}/preview`), {
    showsError: true,
  })

const SETUP_MS = 3_000

/** @param watched the checklist is open: its last steps happen elsewhere, so it is looked at again until all are done */
export const useSetup = (id: string, watched = false) =>
  useAnswer<{ setup: Setup }>(`${pathOf(id)}/setup`, {
    again: (answer) => watched && !answer?.setup.complete && SETUP_MS,
  })

/** Has the store open the storefront's address. */
export const useCheckStorefront = () =>
  usePress<{ setup: Setup }, string>((id) => post(`${pathOf(id)}/setup/storefront`))

const RUNNING_MS = 1_000

/** The latest import, watched closely while it runs. What begins, holds or ends it is news for the other cards, too. */
export function useSync(id: string) {
  const renew = useRenew()
  const query = useAnswer<{ sync: Sync }>(syncPath(id), {
    // A hold ends by itself, so it is watched too; at rest nothing changes here.
    again: (answer) =>
      answer?.sync.status === "running" && (answer.sync.reason ? HELD_MS : RUNNING_MS),
  })
  const sync = query.data?.sync
  const state = sync && `${sync.status} ${sync.reason?.code}`
  const seen = useRef(state)
  useEffect(() => {
    if (seen.current && seen.current !== state) void renew()
    seen.current = state
  }, [renew, state])
  return query
}

export type SyncAction = "start" | "pause" | "resume" | "cancel"

export const useSyncAction = (id: string, done?: () => void) =>
  usePress<{ sync: Sync }, SyncAction>(
    (action) => post(action === "start" ? syncPath(id) : `${syncPath(id)}/${action}`),
    { done },
  )

const TROUBLE_MS = 15_000

/** `webhook` is null where none is registered and no key was pasted. */
export const useWebhook = (id: string) =>
  useAnswer<{ webhook: Webhook | null }>(webhookPath(id), {
    // What is wrong is looked at again by itself; a webhook that is well is not.
    again: (answer) => Boolean(answer?.webhook?.last_error) && TROUBLE_MS,
  })

/** Looks for why nothing arrives: it sends deliveries to the store's own address. What it found is of that moment. */
export const useDoctor = (id: string) =>
  usePress<{ findings: Finding[] }>(() => svcFetch(`${webhookPath(id)}/doctor`), {
    showsError: true,
  })

/** Waits for the test delivery that somebody fires in the service's settings. */
export const useTestDelivery = (id: string) =>
  usePress<{ test: TestDelivery }>(() => post(`${webhookPath(id)}/test`), { showsError: true })

/** What was found when the lists of the service were read, the latest first. */
export const useReadings = (id: string) =>
  useAnswer<{ reconciliations: Reading[] }>(`${webhookPath(id)}/reconciliations`, {
    query: { limit: 5 },
  })

export const useRegisterWebhook = (id: string, done: () => void) =>
  usePress(() => post(webhookPath(id)), { done })
export const useRemoveWebhook = (id: string, done: () => void) =>
  usePress(() => remove(webhookPath(id)), { done })
export const useRotateKey = (id: string, done: () => void) =>
  usePress(() => post(`${webhookPath(id)}/rotate`), { done })

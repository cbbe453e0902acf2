import {
  ArchiveBox,
  CheckCircleMiniSolid,
  CircleDottedLine,
  CircleFilledSolid,
  Clock,
  ExclamationCircleSolid,
  EyeSlashMini,
  MinusMini,
  Pause,
  PlayMiniSolid,
  Spinner,
  SquareTwoStackMini,
  XMarkMini,
} from "@medusajs/icons"
import { Badge } from "@medusajs/ui"
import type { ComponentProps, ComponentType } from "react"
import { type TextKey, useText } from "../hooks/use-text"
import type {
  AttemptOutcome,
  Connection,
  DeliveryOutcome,
  LiveEvent,
  OrderState,
  ProductState,
  SetupState,
  SyncStatus,
} from "../lib/types"

type Look = {
  color: NonNullable<ComponentProps<typeof Badge>["color"]>
  Icon: ComponentType<{ className?: string }>
  label: TextKey
}

/** A state in three ways at once: a colour, a word and an icon. */
const LookBadge = ({ look: { color, Icon, label }, word }: { look: Look; word?: string }) => {
  const { t } = useText()
  return (
    <Badge
      size="2xsmall"
      color={color}
      className="gap-x-1 whitespace-nowrap align-middle [&_svg]:size-[15px]"
    >
      <Icon className={Icon === Spinner ? "animate-spin motion-reduce:animate-none" : undefined} />
      {word ?? t(label)}
    </Badge>
  )
}

const WAITING: Pick<Look, "color" | "Icon"> = { color: "blue", Icon: Clock }
const GOOD: Pick<Look, "color" | "Icon"> = { color: "green", Icon: CheckCircleMiniSolid }
const BAD: Pick<Look, "color" | "Icon"> = { color: "red", Icon: ExclamationCircleSolid }
const CARE: Pick<Look, "color" | "Icon"> = { color: "orange", Icon: ExclamationCircleSolid }
const OFF: Pick<Look, "color" | "Icon"> = { color: "grey", Icon: MinusMini }

const LOOKS = {
  // Green only where the service has accepted the token.
  connection: {
    unchecked: { color: "grey", Icon: CircleDottedLine, label: "connections.status.unchecked" },
    active: { ...GOOD, label: "connections.status.active" },
    broken: { ...BAD, label: "connections.status.broken" },
    undeclared: { ...OFF, label: "connections.status.undeclared" },
  } satisfies Record<Connection["status"], Look>,
  product: {
    pending: { ...WAITING, label: "products.state.pending" },
    synced: { ...GOOD, label: "products.state.synced" },
    invalid: { ...CARE, label: "products.state.invalid" },
    failed: { ...BAD, label: "products.state.failed" },
    removed: { color: "grey", Icon: EyeSlashMini, label: "products.state.removed" },
  } satisfies Record<ProductState, Look>,
  delivery: {
    received: { ...WAITING, label: "deliveries.outcome.received" },
    applied: { ...GOOD, label: "deliveries.outcome.applied" },
    stale: { color: "grey", Icon: ArchiveBox, label: "deliveries.outcome.stale" },
    duplicate: { color: "grey", Icon: SquareTwoStackMini, label: "deliveries.outcome.duplicate" },
    quarantined: { ...CARE, label: "deliveries.outcome.quarantined" },
    unknown: { ...CARE, label: "deliveries.outcome.unknown" },
    test: { color: "purple", Icon: CheckCircleMiniSolid, label: "deliveries.outcome.test" },
    failed: { ...BAD, label: "deliveries.outcome.failed" },
  } satisfies Record<DeliveryOutcome, Look>,
  order: {
    waiting: { ...WAITING, label: "orders.state.waiting" },
    reported: { ...GOOD, label: "orders.state.reported" },
    failed: { ...BAD, label: "orders.state.failed" },
    duplicate: { ...CARE, label: "orders.state.duplicate" },
    excluded: { ...OFF, label: "orders.state.excluded" },
  } satisfies Record<OrderState, Look>,
  attempt: {
    accepted: { ...GOOD, label: "orders.attempts.outcome.accepted" },
    refused: { ...BAD, label: "orders.attempts.outcome.refused" },
    unknown: { ...CARE, label: "orders.attempts.outcome.unknown" },
  } satisfies Record<AttemptOutcome, Look>,
  setup: {
    done: { ...GOOD, label: "setup.state.done" },
    open: { color: "grey", Icon: CircleDottedLine, label: "setup.state.open" },
    running: { color: "blue", Icon: Spinner, label: "setup.state.running" },
    failed: { ...BAD, label: "setup.state.failed" },
    blocked: { color: "orange", Icon: Pause, label: "setup.state.blocked" },
  } satisfies Record<SetupState, Look>,
  // Whether a product can be sold in a show, in the colours in which the overview counts them.
  readiness: {
    ready: { ...GOOD, label: "shows.products.ready" },
    warned: { ...CARE, label: "shows.products.warned" },
    notReady: { ...BAD, label: "shows.products.notReady" },
    removed: { ...OFF, label: "shows.products.removed" },
  },
} satisfies Record<string, Record<string, Look>>

/** @param quiet without its colour: nothing is in this state */
export function StateBadge<Of extends keyof typeof LOOKS>({
  of,
  state,
  quiet = false,
}: {
  of: Of
  state: keyof (typeof LOOKS)[Of] & string
  quiet?: boolean
}) {
  const looks: Record<string, Look> = LOOKS[of]
  const look = looks[state]
  return look && <LookBadge look={quiet ? { ...look, color: "grey" } : look} />
}

const SYNC: Record<SyncStatus, Look> = {
  idle: { color: "grey", Icon: CircleDottedLine, label: "sync.status.idle" },
  running: { color: "blue", Icon: Spinner, label: "sync.status.running" },
  paused: { color: "orange", Icon: Pause, label: "sync.status.paused" },
  completed: { ...GOOD, label: "sync.status.completed" },
  cancelled: { ...OFF, label: "sync.status.cancelled" },
  failed: { ...BAD, label: "sync.status.failed" },
}
const HELD: Look = { color: "orange", Icon: Pause, label: "sync.status.held" }
/** @param held it runs, but nothing is being sent */
export const SyncState = ({ status, held }: { status: SyncStatus; held: boolean }) => (
  <LookBadge look={status === "running" && held ? HELD : SYNC[status]} />
)

const UNKNOWN: Pick<Look, "color" | "Icon"> = { color: "grey", Icon: CircleDottedLine }
const SHOW: Record<string, Look> = {
  planned: { ...WAITING, label: "shows.status.planned" },
  live: { color: "red", Icon: CircleFilledSolid, label: "shows.status.live" },
  processing: { color: "orange", Icon: Clock, label: "shows.status.processing" },
  vod: { color: "green", Icon: PlayMiniSolid, label: "shows.status.vod" },
  clip: { color: "green", Icon: PlayMiniSolid, label: "shows.status.clip" },
  cancelled: { color: "grey", Icon: XMarkMini, label: "shows.status.cancelled" },
}
const DELETED: Look = { color: "grey", Icon: XMarkMini, label: "shows.status.deleted" }

/** A status that this version does not know is shown as the service says it. */
export const ShowState = ({ event }: { event: Pick<LiveEvent, "status" | "deleted_at"> }) => {
  const look = event.deleted_at ? DELETED : SHOW[event.status]
  if (look) return <LookBadge look={look} />
  return <LookBadge look={{ ...UNKNOWN, label: "shows.status.planned" }} word={event.status} />
}

const WEBHOOK: Record<string, Look> = {
  active: { ...GOOD, label: "webhook.state.active" },
  warning: { ...CARE, label: "webhook.state.warning" },
  disabled: { ...BAD, label: "webhook.state.disabled" },
  missing: { ...BAD, label: "webhook.state.missing" },
}
export const WebhookState = ({ state }: { state: string | null }) => (
  <LookBadge look={WEBHOOK[state ?? ""] ?? { ...UNKNOWN, label: "webhook.state.unknown" }} />
)

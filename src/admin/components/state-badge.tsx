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
  OrderState,
  ProductState,
  SetupState,
  SyncStatus,
} from "../lib/types"

type Color = NonNullable<ComponentProps<typeof Badge>["color"]>
type Look = [Color, ComponentType<{ className?: string }>]

const GOOD: Look = ["green", CheckCircleMiniSolid]
const WAITING: Look = ["blue", Clock]
const RUNNING: Look = ["blue", Spinner]
const CARE: Look = ["orange", ExclamationCircleSolid]
const PAUSED: Look = ["orange", Pause]
const BAD: Look = ["red", ExclamationCircleSolid]
const OPEN: Look = ["grey", CircleDottedLine]
const OFF: Look = ["grey", MinusMini]
const GONE: Look = ["grey", XMarkMini]

/** Each kind of state in the order in which people should read its values. The compiler refuses a list that lacks one. */
const LOOKS = {
  // Green only where the service has accepted the token.
  connection: { unchecked: OPEN, active: GOOD, broken: BAD, undeclared: OFF } satisfies Record<
    Connection["status"],
    Look
  >,
  product: {
    pending: WAITING,
    synced: GOOD,
    invalid: CARE,
    failed: BAD,
    removed: ["grey", EyeSlashMini],
  } satisfies Record<ProductState, Look>,
  delivery: {
    received: WAITING,
    applied: GOOD,
    stale: ["grey", ArchiveBox],
    duplicate: ["grey", SquareTwoStackMini],
    quarantined: CARE,
    unknown: CARE,
    test: ["purple", CheckCircleMiniSolid],
    failed: BAD,
  } satisfies Record<DeliveryOutcome, Look>,
  order: {
    waiting: WAITING,
    reported: GOOD,
    failed: BAD,
    duplicate: CARE,
    excluded: OFF,
  } satisfies Record<OrderState, Look>,
  attempt: { accepted: GOOD, refused: BAD, unknown: CARE } satisfies Record<AttemptOutcome, Look>,
  setup: {
    done: GOOD,
    open: OPEN,
    running: RUNNING,
    failed: BAD,
    blocked: PAUSED,
  } satisfies Record<SetupState, Look>,
  // `held`: an import runs, but nothing is being sent.
  sync: {
    idle: OPEN,
    running: RUNNING,
    held: PAUSED,
    paused: PAUSED,
    completed: GOOD,
    cancelled: OFF,
    failed: BAD,
  } satisfies Record<SyncStatus | "held", Look>,
  // Whether a product can be sold in a show, in the colours in which the overview counts them.
  readiness: { ready: GOOD, warned: CARE, notReady: BAD, removed: OFF },
  show: {
    planned: WAITING,
    live: ["red", CircleFilledSolid],
    processing: ["orange", Clock],
    vod: ["green", PlayMiniSolid],
    clip: ["green", PlayMiniSolid],
    cancelled: GONE,
    deleted: GONE,
  },
  webhook: { active: GOOD, warning: CARE, disabled: BAD, missing: BAD, unknown: OPEN },
} satisfies Record<string, Record<string, Look>>

/** Where the words of each kind stand, under the names of its states. */
const WORDS = {
  connection: "connections.status",
  product: "products.state",
  delivery: "deliveries.outcome",
  order: "orders.state",
  attempt: "orders.attempts.outcome",
  setup: "setup.state",
  sync: "sync.status",
  readiness: "shows.products",
  show: "shows.status",
  webhook: "webhook.state",
} as const

export type StateKind = keyof typeof LOOKS
type Word = {
  [Kind in StateKind]: `${(typeof WORDS)[Kind]}.${keyof (typeof LOOKS)[Kind] & string}`
}[StateKind]
/** A state that has no word in every language does not compile. */
const wordOf = (of: StateKind, state: string): TextKey => `${WORDS[of]}.${state}` as Word

/** The states of a kind, with the paths of their words. */
export const statesOf = (of: StateKind): { value: string; word: TextKey }[] =>
  Object.keys(LOOKS[of]).map((value) => ({ value, word: wordOf(of, value) }))

type StateBadgeProps = {
  of: StateKind
  state: string
  /** Without its colour: nothing is in this state. */
  quiet?: boolean
}

/**
 * A state in three ways at once: a colour, a word and an icon. One that this version does not know is shown as the service
 * says it.
 */
export const StateBadge = ({ of, state, quiet = false }: StateBadgeProps) => {
  const { t } = useText()
  const looks: Record<string, Look> = LOOKS[of]
  const [color, Icon] = looks[state] ?? OPEN
  return (
    <Badge
      size="2xsmall"
      color={quiet ? "grey" : color}
      className="gap-x-1 whitespace-nowrap align-middle [&_svg]:size-[15px]"
    >
      <Icon className={Icon === Spinner ? "animate-spin motion-reduce:animate-none" : undefined} />
      {state in looks ? t(wordOf(of, state)) : state}
    </Badge>
  )
}

/** What the service last said of a show. */
export const ShowState = ({
  event: { status, deleted_at },
}: {
  event: { status: string; deleted_at: string | null }
}) => <StateBadge of="show" state={deleted_at ? "deleted" : status} />

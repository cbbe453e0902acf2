/** The dashboard: what a person needs who runs a show. All else is steered by command (`svc-sandbox`) or control API. */

import { render } from "preact"
import type { Page } from "../../../store/tables"
import { Icon, type IconName } from "../shared/icon"
import { Deliveries, Delivery } from "./deliveries"
import { Orders } from "./orders"
import { sentenceOf, start, svc, update, useLoaded, useShared } from "./shared"
import { Show } from "./show"
import { Shows } from "./shows"

const PARTS: [name: string, word: string, sign: IconName][] = [
  ["shows", "Shows", "broadcast"],
  ["deliveries", "Deliveries", "send"],
  ["orders", "Orders", "receipt"],
]

function Section({ path: [part, id], page }: { path: string[]; page: Page }) {
  if (part === "deliveries") return id ? <Delivery id={id} /> : <Deliveries page={page} />
  if (part === "orders") return <Orders page={page} />
  return id ? <Show id={id} page={page} /> : <Shows page={page} />
}

function App() {
  const { path, pageUid, connected, said } = useShared()
  const { data, error } = useLoaded(svc.pages.list)
  const pages = data?.pages ?? []
  const page = pages.find(({ uid }) => uid === pageUid) ?? pages[0]
  const note = connected ? said : { text: "The sandbox is not reachable. Reconnecting…", bad: true }
  return (
    <>
      <header class="bar row gap-16">
        <a class="part row text-16" href="#/">
          <img src="/_sandbox/ui/mark.svg" alt="" width={32} height={32} />
          <span>
            <b>svc</b> sandbox
          </span>
        </a>
        <nav class="row gap-4" aria-label="Sections">
          {PARTS.map(([name, word, sign]) => (
            <a
              key={name}
              class="part row nowrap"
              href={`#/${name}`}
              aria-current={name === (path[0] ?? "shows") ? "page" : undefined}
            >
              <Icon name={sign} />
              <span>{word}</span>
            </a>
          ))}
        </nav>
        {pages.length > 1 && (
          <select
            aria-label="Page"
            value={page?.uid}
            onChange={({ currentTarget: { value } }) => {
              localStorage.setItem("svc-sandbox:page", value)
              update({ pageUid: value })
            }}
          >
            {pages.map(({ uid, name }) => (
              <option key={uid} value={uid}>
                {name}
              </option>
            ))}
          </select>
        )}
      </header>
      <main class="section" key={`${path.join("/")} ${page?.uid}`}>
        {error ? (
          <p role="alert">{sentenceOf(error)}</p>
        ) : (
          page && <Section path={path} page={page} />
        )}
      </main>
      <footer class="soft">
        Clock, faults, profiles, subscribers and the journal of all calls are at the command:{" "}
        <code>npx --no-install svc-sandbox clock 13m</code> (in a clone{" "}
        <code>npm run sandbox -- clock 13m</code>), <code>faults</code>, <code>profiles</code>,{" "}
        <code>subscribers</code>, <code>journal</code>.
      </footer>
      <div class="toasts" role="status" aria-live="polite">
        {note && (
          <p class="toast note" data-tone={note.bad ? "bad" : "good"}>
            <Icon name={note.bad ? "alert" : "check"} />
            <span>{note.text}</span>
          </p>
        )}
      </div>
    </>
  )
}

start()
const root = document.getElementById("app")
if (root) render(<App />, root)

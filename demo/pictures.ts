/** `npm run pictures`: the README's, of an evening that is played for them and of the next show, which is live. */
import { chmod, mkdtemp } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { launchBrowser, logIntoAdmin } from "../integration-tests/setup/browser"
import { ROOT, startChild } from "../tools/child"
import { freePort } from "../tools/ports"
import { DEMO_ADMIN } from "./catalog/seed-names"
import { forgetEarlierRuns } from "./start-up/reset"
import { planShow } from "./start-up/show"
import { control, logIn } from "./start-up/store-api"

const at = (path: string) => join(ROOT, "docs/images", path)

async function takePictures(url: { store: string; sandbox: string; storefront: string }) {
  const { events } = await control<{ events: { id: string }[] }>(url.sandbox, "/events")
  const next = await planShow(await logIn(url.store), url.sandbox)
  await control(url.sandbox, `/events/${next.id}`, { name: "Light for the dark months" })
  await control(url.sandbox, `/events/${next.id}/start`, {})

  const browser = await launchBrowser()
  try {
    const viewport = { width: 1280, height: 800 }
    const page = await browser.newPage({ viewport, reducedMotion: "reduce" })
    await page.goto(url.storefront)
    await page.getByTestId("svc-player-open").click()
    await page.getByTestId("svc-add").first().click()
    await page.locator("[data-testid=svc-cart-line]:not([data-pending])").first().waitFor()
    await page.screenshot({ path: at("show.png") })

    await logIntoAdmin(page, url.store, DEMO_ADMIN)
    for (const [name, path, text] of [
      ["admin-overview.png", "/svc", "Earnings of the latest shows"],
      ["admin-show.png", `/svc/shows/${events[0]?.id}`, "Net, VAT included"],
    ] as const) {
      await page.goto(`${url.store}/app${path}`)
      const what = page.getByText(text).first()
      await what.waitFor()
      await page.waitForLoadState("networkidle")
      await what.evaluate((element) => element.scrollIntoView({ block: "center" }))
      await page.screenshot({ path: at(name) })
    }
  } finally {
    await browser.close()
  }
}

async function main() {
  const home = await mkdtemp(join(tmpdir(), "svc-pictures-"))
  // For a root whose Postgres runs as somebody else.
  await chmod(home, 0o755)
  const [store, sandbox, storefront] = [await freePort(), await freePort(), await freePort()]
  const env = {
    DEMO_DIRECTORY: home,
    DATABASE_URL: "",
    PORT: `${store}`,
    SANDBOX_PORT: `${sandbox}`,
    STOREFRONT_PORT: `${storefront}`,
  }
  const script = "demo/start.ts"
  const demo = await startChild({
    name: "The demo",
    script,
    args: ["--evening"],
    env,
    timeoutMs: 900_000,
  })
  try {
    const on = (port: number) => `http://127.0.0.1:${port}`
    await takePictures({ store: on(store), sandbox: on(sandbox), storefront: on(storefront) })
  } finally {
    await demo.stop()
    await forgetEarlierRuns(home)
  }
}

main().catch((error: Error) => {
  console.error(error.message)
  process.exit(1)
})

import { type APIResponse, type Browser, chromium, type Page, type Route } from "playwright-core"
import { CHROMIUM_FLAGS, findChromium, HOW_TO_GET_CHROMIUM } from "./chromium"

/** Debian's Chromium, or whatever `CHROMIUM_PATH` names. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = findChromium()
  if (!executablePath) throw new Error(`There is no Chromium. ${HOW_TO_GET_CHROMIUM}`)
  return await chromium.launch({ executablePath, args: CHROMIUM_FLAGS, timeout: 180_000 })
}

/** Logs into a Medusa admin and waits for its first page. */
export async function logIntoAdmin(
  page: Page,
  storeUrl: string,
  admin: { email: string; password: string },
): Promise<void> {
  await page.goto(`${storeUrl}/app/login`)
  await page.getByPlaceholder("Email").fill(admin.email)
  await page.getByPlaceholder("Password").fill(admin.password)
  await page.getByRole("button", { name: /email/i }).click()
  await page.waitForURL((url) => !url.pathname.endsWith("/login"))
}

/** Once more where a server closes a connection, idle for a while, as it is used again. A browser asks again by itself. */
export const ASKED_AGAIN = { maxRetries: 3 }

/** What the store answers to what a page asks. */
export const answerTo = (route: Route): Promise<APIResponse> => route.fetch(ASKED_AGAIN)

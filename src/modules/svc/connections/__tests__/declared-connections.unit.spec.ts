import { rowOf } from "../declared-connections"
import { declaredConnectionId } from "../declared-id"

const place = (name: string, pageUid: string, baseUrl: string) => ({
  name,
  pageUid,
  baseUrl,
  salesChannelId: "web",
})
const row = (id: string, page_uid: string, base_url: string) => ({
  id,
  page_uid,
  base_url,
  sales_channel_id: "web",
  managed_by: "environment" as const,
  status: "active" as const,
})

describe("the row of a declared connection", () => {
  it.each([
    ["first", (all: unknown[]) => all],
    ["last", (all: unknown[]) => [...all].reverse()],
  ])(
    "is no other's, though its page went to another address and its name to another page: declared %s",
    (_what, inOrder) => {
      const main = place("main", "another", "https://old.example")
      const second = place("second", "page", "https://new.example")
      const rows = [row(declaredConnectionId("main"), "page", "https://old.example")]
      const all = inOrder([main, second]) as (typeof main)[]
      expect(rowOf(main, all, rows)).toBe(rows[0])
      expect(rowOf(second, all, rows)).toBeUndefined()
    },
  )

  it("is that of its page in its channel at another address, whoever made it", () => {
    const main = place("main", "page", "https://new.example")
    const rows = [row("by-hand", "page", "https://old.example")]
    expect(rowOf(main, [main], rows)).toBe(rows[0])
  })
})

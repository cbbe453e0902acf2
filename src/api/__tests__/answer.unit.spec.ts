import { z } from "zod"
import { readInput } from "../../workflows/shared"
import { readListQuery } from "../answer"

const refusedBy = (work: () => unknown): { code?: string; message: string } => {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) return error
  }
  throw new Error("nothing was refused")
}

describe("input", () => {
  const schema = z.strictObject({
    name: z.string().min(1),
    api_token: z.string().max(5),
    n: z.object({ k: z.number() }),
  })

  it("comes back as its schema reads it", () => {
    const input = { name: "a", api_token: "b", n: { k: 1 } }
    expect(readInput(schema, input)).toEqual(input)
  })

  it("that is wrong is refused with every field and why, never with a value", () => {
    const input = {
      name: "",
      api_token: "hunter2-is-too-long",
      n: { k: "hunter3" },
      extra: "hunter4",
    }
    const { code, message } = refusedBy(() => readInput(schema, input))
    expect(code).toBe("invalid_request")
    for (const field of ["name", "api_token", "n.k", "extra"]) expect(message).toContain(field)
    expect(message).not.toContain("hunter")
  })

  it.each([undefined, null, "text", 7, [], true])("%p is no body", (body) => {
    expect(refusedBy(() => readInput(schema, body)).code).toBe("invalid_request")
  })
})

describe("the query of a list", () => {
  const fields = { sortable: ["created_at", "title"], filters: ["state", "connection_id"] } as const
  const list = (query: Record<string, unknown>) => readListQuery(query, fields)

  it("is the newest 50 where nothing is asked", () => {
    expect(list({})).toEqual({
      filters: {},
      order: { column: "created_at", direction: "DESC" },
      page: { limit: 50, offset: 0 },
    })
    expect(readListQuery(undefined, fields).page).toEqual({ limit: 50, offset: 0 })
  })

  it("takes a page, an order, words and filters, each once or several times", () => {
    expect(
      list({
        limit: "10",
        offset: "20",
        order: "-title",
        q: " mug ",
        state: ["failed", "invalid"],
        connection_id: "c1",
      }),
    ).toEqual({
      filters: { state: ["failed", "invalid"], connection_id: ["c1"], q: "mug" },
      order: { column: "title", direction: "DESC" },
      page: { limit: 10, offset: 20 },
    })
    expect(list({ order: "title" }).order).toEqual({ column: "title", direction: "ASC" })
  })

  it("looks for words as they are written", () => {
    expect(list({ q: "100%_\\" }).filters.q).toBe("100\\%\\_\\\\")
  })

  it.each([
    ["limit", "0"],
    ["limit", "1001"],
    ["limit", "1.5"],
    ["limit", ""],
    ["limit", ["10", "20"]],
    ["offset", "-1"],
    ["offset", "1e30"],
    ["order", "api_token"],
    ["order", "title; drop table"],
    ["order", ["title"]],
    ["q", "x".repeat(201)],
    ["q", ["a", "b"]],
    ["state", "a\0b"],
    ["state", [{ $like: "%" }]],
  ])("with %s=%j is refused", (name, value) => {
    expect(refusedBy(() => list({ [name]: value }))).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining(name),
    })
  })

  it.each(["deleted_at", "api_token", "$or", "states", "__proto__"])(
    "refuses the filter %s",
    (name) => {
      expect(refusedBy(() => list({ [name]: "x" }))).toMatchObject({
        code: "invalid_request",
        message: expect.stringContaining(name),
      })
    },
  )
})

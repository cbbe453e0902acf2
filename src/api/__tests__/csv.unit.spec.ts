import { createServer, type ServerResponse } from "node:http"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { localServers } from "../../../integration-tests/setup/local-servers"
import { cell, sendCsv } from "../csv"

describe("a cell of a CSV file", () => {
  it.each([
    ["plain", "plain"],
    ['a "mug", blue', '"a ""mug"", blue"'],
    ["two\nlines", '"two\nlines"'],
    [null, ""],
    [12.5, "12.5"],
    [-3, "-3"],
    [new Date(0), "1970-01-01T00:00:00.000Z"],
  ])("%j is %j", (value, text) => {
    expect(cell(value)).toBe(text)
  })

  it("is never a formula that a spreadsheet would run", () => {
    for (const text of ["=1+1", "+1", "-1", "@SUM(A1)", "\tx"]) {
      expect(cell(text).replace(/^"/, "")).toMatch(/^'/)
    }
  })
})

describe("a CSV file", () => {
  const listening = localServers()
  type Row = { id: number }
  const warnings: string[] = []
  const req = {
    scope: { resolve: () => ({ warn: (text: string) => warnings.push(text) }) },
  } as unknown as MedusaRequest

  /** Node's own response, with what Express adds to it. */
  const fetched = async (pages: () => AsyncGenerator<Row[]>): Promise<string> => {
    const server = createServer((_request, response: ServerResponse) => {
      const res = Object.assign(response, {
        status: () => res,
        set: (headers: Record<string, string>) =>
          response.setHeaders(new Map(Object.entries(headers))),
      }) as unknown as MedusaResponse
      void sendCsv<Row>(req, res, "numbers", ["id"], pages())
    })
    return (await fetch(await listening(server))).text()
  }

  it("has a line for each row", async () => {
    const text = await fetched(async function* () {
      yield [{ id: 1 }, { id: 2 }]
      yield [{ id: 3 }]
    })
    expect(text.replace("\uFEFF", "")).toBe("id\r\n1\r\n2\r\n3\r\n")
  })

  it("is cut off, not ended, where its rows cannot be read to the end", async () => {
    await expect(
      fetched(async function* () {
        yield [{ id: 1 }]
        throw new Error("the database went away")
      }),
    ).rejects.toThrow()
    expect(warnings.join()).toContain("the database went away")
  })
})

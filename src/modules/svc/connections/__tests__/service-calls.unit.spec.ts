import { SvcError } from "../../../../client"
import { ServiceCalls } from "../service-calls"

afterEach(() => jest.restoreAllMocks())

describe("what is noted of lookups and of tokens that they were refused with", () => {
  it("is noted also after the clock was set back", () => {
    const noted: string[] = []
    const rows = { noteError: async () => void noted.push("failing") }
    const connection = async (id: string) => {
      noted.push(`token of ${id}`)
      throw new Error("Nobody is asked.")
    }
    const none = undefined as never
    const calls = new ServiceCalls(none, connection, rows as never, none, none, () => undefined)
    const timedOut = new SvcError({ code: "svc_timeout", failure: "retry", message: "Too late." })
    const note = () => {
      calls.noteLookup("c", timedOut)
      calls.checkToken("c")
    }
    jest.spyOn(Date, "now").mockReturnValue(Date.parse("2099-01-01"))
    note()
    note()
    expect(noted).toEqual(["failing", "token of c"])
    jest.restoreAllMocks()
    const later = performance.now() + 60_001
    jest.spyOn(performance, "now").mockReturnValue(later)
    note()
    expect(noted).toEqual(["failing", "token of c", "failing", "token of c"])
  })
})

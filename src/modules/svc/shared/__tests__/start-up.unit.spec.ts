import type { Logger } from "@medusajs/framework/types"
import { StartUp } from "../start-up"

const listening = () => {
  const said: string[] = []
  return { said, logger: { error: (text: string) => said.push(text) } as unknown as Logger }
}

describe("what a process does when it starts", () => {
  it("goes on behind a step that fails, says so, and tries that one again until it works", async () => {
    const { said, logger } = listening()
    const done: string[] = []
    let isBroken = true
    const startUp = new StartUp(
      [
        {
          what: "take the connections over",
          run: async () => {
            if (isBroken) throw new Error("another page has it")
            done.push("connections")
          },
        },
        { what: "start the jobs", run: async () => done.push("jobs") },
      ],
      logger,
      1,
    )
    await startUp.run()
    expect(done).toEqual(["jobs"])
    expect(startUp.problems).toMatchObject([
      {
        code: "start_failed",
        message: expect.stringContaining("take the connections over: another page has it"),
      },
    ])
    expect(said[0]).toContain("another page has it")
    isBroken = false
    while (startUp.problems.length > 0) await new Promise((done) => setTimeout(done, 1))
    expect(done).toEqual(["jobs", "connections"])
  })

  it("is not tried again by a process that ends", async () => {
    let tried = 0
    const startUp = new StartUp(
      [
        {
          what: "begin",
          run: async () => {
            tried += 1
            throw new Error("no")
          },
        },
      ],
      listening().logger,
      1,
    )
    await startUp.run()
    startUp.stop()
    await new Promise((done) => setTimeout(done, 20))
    expect(tried).toBe(1)
  })
})

/** The table of proofs, held against a run. */
import { readProofs, unproven } from "../proofs"

const TABLE = `## §1 What

| row | proved by |
|---|---|
| use 1 | \`a.spec.ts\`: takes a \\| b<br>\`integration-tests/http/cart/actions.ts\`: adds |
| use 2 | |
`

it("reads rows with their proofs, and refuses what is no proof", () => {
  expect(readProofs(TABLE)).toEqual([
    {
      section: "1",
      row: "use 1",
      proofs: [
        { file: "sandbox/__tests__/a.spec.ts", title: "takes a | b" },
        { file: "integration-tests/http/cart/actions.ts", title: "adds" },
      ],
    },
    { section: "1", row: "use 2", proofs: [] },
  ])
  expect(() => readProofs("## §1\n| a | see elsewhere |")).toThrow("see elsewhere")
})

it("names what did not run, did not pass, or ran elsewhere", () => {
  const rows = readProofs(TABLE)
  const ran = (status: string, file = "integration-tests/http/cart.spec.ts") => [
    { file: "sandbox/__tests__/a.spec.ts", title: "takes a | b", status: "passed" },
    { file, title: "adds", status },
  ]
  expect(unproven(rows, ran("passed"))).toEqual([])
  for (const run of [ran("failed"), ran("pending"), ran("passed", "src/other.spec.ts"), []]) {
    expect(unproven(rows, run).join()).toContain('"adds"')
  }
})

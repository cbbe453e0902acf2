/**
 * `npm run bench`: every benchmark, one after the other, on this machine. Arguments name some of them:
 * `npm run bench -- catalog`. Ends with 1 when a figure misses its mark.
 */
import { cpus } from "node:os"
import { run as cart } from "./cart"
import { run as catalog } from "./catalog"
import type { Figure } from "./figures"
import { run as orders } from "./orders"
import { run as webhooks } from "./webhooks"

const BENCHMARKS: { name: string; run: () => Promise<Figure[]> }[] = [
  { name: "catalog", run: catalog },
  { name: "cart", run: cart },
  { name: "webhooks", run: webhooks },
  { name: "orders", run: orders },
]

/** How many times as long as what it is compared with. */
const RATIO = "x"

const holds = ({ value, atLeast, atMost }: Figure): boolean =>
  value >= (atLeast ?? Number.NEGATIVE_INFINITY) && value <= (atMost ?? Number.POSITIVE_INFINITY)

const mark = ({ atLeast, atMost }: Figure): string =>
  atLeast !== undefined ? `at least ${atLeast}` : atMost !== undefined ? `at most ${atMost}` : ""

async function main(wanted: string[]): Promise<boolean> {
  const chosen = BENCHMARKS.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
  if (chosen.length === 0) {
    console.log(`There is: ${BENCHMARKS.map(({ name }) => name).join(", ")}.`)
    return false
  }
  const processor = cpus()
  console.log(`${processor.length} x ${processor[0]?.model ?? "unknown"}, Node ${process.version}`)
  let good = true
  for (const { run } of chosen) {
    for (const figure of await run()) {
      good &&= holds(figure)
      const digits = { maximumFractionDigits: figure.unit === RATIO ? 2 : 0 }
      const value = `${figure.value.toLocaleString("en", digits)} ${figure.unit}`
      console.log(
        `${holds(figure) ? "ok  " : "MISS"}  ${figure.name.padEnd(54)} ${value.padStart(22)}  ${mark(figure)}`,
      )
    }
  }
  return good
}

main(process.argv.slice(2)).then(
  (good) => process.exit(good ? 0 : 1),
  (error: Error) => {
    console.error(error.message)
    process.exit(1)
  },
)

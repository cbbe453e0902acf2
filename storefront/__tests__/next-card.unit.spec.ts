/** What the Next recipe puts into the starter's files for cards, as it runs there. */
import { transformSync } from "esbuild"
import { STEPS } from "../next/steps"

/** A cart whose card was confirmed; the answer to the order was lost, or a later step of the order failed. */
const session = {
  status: "authorized",
  provider_id: "pp_stripe_stripe",
  data: { client_secret: "secret_1" },
}
const cart = { payment_collection: { payment_sessions: [session] } }

/** The changes in a component of the checkout. */
function editsOf(component: string) {
  const step = STEPS.find(({ file }) => file.includes(`/checkout/components/${component}/`))
  return step && "edits" in step ? step.edits : []
}

function run<Result>(code: string, around: Record<string, unknown>): Result {
  const { code: js } = transformSync(`async function press() { ${code} }`, { loader: "ts" })
  return new Function(...Object.keys(around), `${js}; return press()`)(...Object.values(around))
}

/** A press of the button on a page that was loaded anew: nothing of the card is left there. */
async function press(status: string) {
  const [before, after] = editsOf("payment-button").slice(-2)
  // The starter's own look at it, which says nothing.
  expect(after?.find).toContain("|| !card ||")
  const said: string[] = []
  const say = (what: string) => () => {
    said.push(what)
    return Promise.resolve(session)
  }
  await run(`${before?.put} ${after?.put} })`, {
    cart,
    card: null,
    stripe: {
      retrievePaymentIntent: async () => ({ paymentIntent: { status } }),
      confirmCardPayment: say("confirmed"),
    },
    onPaymentCompleted: say("ordered"),
    renewPaymentSession: say("renewed"),
    setErrorMessage: (message: string) => said.push(message),
    setSubmitting: () => undefined,
  })
  return said
}

it("keeps the card's frame around the button while the payment is made", async () => {
  const code = `${editsOf("payment-wrapper")[0]?.put}; return paymentSession`
  expect(await run(code, { cart })).toBe(session)
})

it.each(["requires_capture", "succeeded"])(
  "orders with a card that was confirmed before the page was loaded anew: %s",
  async (status) => expect(await press(status)).toEqual(["ordered"]),
)

it("asks for the card where its payment was cancelled and the page was loaded anew", async () => {
  expect(await press("canceled")).toEqual(["renewed", expect.stringContaining("card")])
})

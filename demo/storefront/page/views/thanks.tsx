import { retrieveOrder } from "../api"
import { useTitle } from "../title"
import { Icon } from "./icon"
import { LineList, Totals } from "./lines"
import { DidNotLoad, useLoaded } from "./loading"

export function ThanksPage({ id }: { id: string }) {
  useTitle("Thank you")
  const { loaded, again } = useLoaded(() => retrieveOrder(id))
  if (!loaded) return <div class="page" aria-busy="true" />
  if ("error" in loaded) return <DidNotLoad error={loaded.error} again={again} />
  const order = loaded.value
  return (
    <div
      class="page thanks message stack center gap-16"
      data-testid="order-confirmed"
      data-order={order.id}
    >
      <span class="sign tone" data-tone="green">
        <Icon name="check" />
      </span>
      <h1 class="title">Thank you</h1>
      <p class="soft">
        Order no. {order.display_id} is placed. A confirmation goes to {order.email}.
      </p>
      <div class="summary stack gap-16">
        <LineList cart={order} />
        <Totals cart={order} />
      </div>
      <a class="button plain" href="/">
        Back to the shop
      </a>
    </div>
  )
}

import { useEffect, useRef, useState } from "preact/hooks"
import { chooseShipping, listShippingOptions, type ShippingOption } from "../api"
import { basket } from "../basket"
import { market } from "../market"
import { money } from "../money"
import { messageOf, Problem } from "./notices"

/**
 * The ways to send it, once `addressed` has told the store where to. The cheapest is chosen at once,
 * so that the total is true from the start.
 */
export function useShipping(cartId: string, addressed: () => Promise<unknown>) {
  const [options, setOptions] = useState<ShippingOption[]>()
  const [chosen, setChosen] = useState<string>()
  const [trouble, setTrouble] = useState("")
  /** Whether the delivery is in the total: before that, it is not what would be paid. */
  const [priced, setPriced] = useState(false)
  const here = useRef(true)

  const set = async (id: string) => {
    setChosen(id)
    basket.set(await chooseShipping(cartId, id))
  }
  const load = async () => {
    await addressed()
    const found = (await listShippingOptions(cartId)).sort((a, b) => a.amount - b.amount)
    const before = basket.get()?.shipping_methods?.[0]?.shipping_option_id
    const first = found.find(({ id }) => id === before) ?? found[0]
    if (!first) throw new Error("This shop does not deliver here yet.")
    if (!here.current) return
    setOptions(found)
    await set(first.id)
    setPriced(true)
  }
  const failed = (error: unknown) => setTrouble(messageOf(error))
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each basket
  useEffect(() => {
    here.current = true
    load().catch(failed)
    return () => {
      here.current = false
    }
  }, [cartId])

  return {
    priced,
    options,
    chosen,
    trouble,
    select: (id: string) => set(id).catch(failed),
    /** Chooses again before the order: what fits may change with the address. */
    confirm: async () => {
      if (chosen) await set(chosen)
    },
  }
}

export function ShippingChoice({ shipping }: { shipping: ReturnType<typeof useShipping> }) {
  const { options, chosen, trouble, select } = shipping
  if (trouble) return <Problem text={trouble} />
  if (!options) return <div class="radio-card waiting" aria-busy="true" />
  return options.map(({ id, name, amount }) => (
    <label key={id} class="radio-card row">
      <input
        type="radio"
        name="shipping"
        value={id}
        checked={id === chosen}
        data-testid="shipping-option"
        onChange={() => select(id)}
      />
      <span class="strong grow">{name}</span>
      <span>{amount === 0 ? "Free" : money(amount, market.get().currency)}</span>
    </label>
  ))
}

import { Skeleton, Text } from "@medusajs/ui"
import { Link } from "react-router-dom"
import { useProductCounts } from "../hooks/api/records"
import { useText } from "../hooks/use-text"
import { formatNumber } from "../lib/format"
import { ErrorNotice } from "./error-notice"
import { StateBadge } from "./state-badge"

type ProductCountsProps = { connectionId: string; watched?: boolean }

/** How many products are in each state; each number leads to its products. */
export const ProductCounts = ({ connectionId, watched = false }: ProductCountsProps) => {
  const { t, locale } = useText()
  const { counts, error, refetch } = useProductCounts(connectionId, watched)

  const isKnown = counts.some(({ count }) => count !== undefined)
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />}
      {(isKnown || !error) && (
        <nav
          aria-label={t("products.counts")}
          className="grid grid-cols-2 gap-px overflow-hidden sm:grid-cols-3 lg:grid-cols-5"
        >
          {counts.map(({ state, count }) => (
            <Link
              key={state}
              to={`/svc/products?${new URLSearchParams({
                connection_id: JSON.stringify([connectionId]),
                state: JSON.stringify([state]),
              })}`}
              className="hover:bg-ui-bg-base-hover transition-fg focus-visible:shadow-borders-focus flex flex-col items-start gap-y-2 px-6 py-4 outline-none"
            >
              {count === undefined ? (
                <Skeleton className="h-8 w-12" />
              ) : (
                <Text size="xlarge" weight="plus" className="text-2xl tabular-nums leading-8">
                  {formatNumber(count, locale)}
                </Text>
              )}
              <StateBadge of="product" state={state} quiet={!count} />
            </Link>
          ))}
        </nav>
      )}
    </>
  )
}

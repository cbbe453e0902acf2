import { RouteDrawer } from "@medusajs/dashboard/components"
import { Button, Heading, Skeleton } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useText } from "../hooks/use-text"
import { ErrorNotice } from "./error-notice"
import { RowsSkeleton } from "./section"

type DetailDrawerProps = {
  title: string | undefined
  /** Beside the title. */
  state?: ReactNode
  error: Error | null
  onRetry: () => unknown
  /** Undefined while it loads. */
  children: ReactNode | undefined
  actions?: ReactNode
}

/** One row of a table in full, in a drawer with an address of its own; closing keeps the table's filters. */
export const DetailDrawer = ({
  title,
  state,
  error,
  onRetry,
  children,
  actions,
}: DetailDrawerProps) => {
  const { t } = useText()
  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <RouteDrawer.Title asChild>
            <Heading className="min-w-0 break-words">
              {title ?? <Skeleton className="h-7 w-40" />}
            </Heading>
          </RouteDrawer.Title>
          {state}
        </div>
      </RouteDrawer.Header>
      <RouteDrawer.Body className="flex flex-1 flex-col gap-y-4 overflow-y-auto px-0 py-2">
        {children ??
          (error ? (
            <ErrorNotice error={error} onRetry={onRetry} className="px-6 py-4" />
          ) : (
            <RowsSkeleton rows={4} />
          ))}
      </RouteDrawer.Body>
      <RouteDrawer.Footer className="max-md:flex-wrap max-md:gap-2 max-md:space-x-0 max-md:[&>*]:whitespace-nowrap">
        <RouteDrawer.Close asChild>
          <Button size="small" variant="secondary">
            {t("actions.close")}
          </Button>
        </RouteDrawer.Close>
        {actions}
      </RouteDrawer.Footer>
    </RouteDrawer>
  )
}

import { DataTable } from "@medusajs/dashboard/components"
import { Container, clx, toast } from "@medusajs/ui"
import { useEffect, useState } from "react"
import { useLocation, useSearchParams } from "react-router-dom"
import { useAnswer } from "../hooks/api/request"
import { FOR_ALL, useAsk, useForAll } from "../hooks/use-actions"
import { useFailureToast } from "../hooks/use-failure-toast"
import { type Filter, PAGE_SIZE, useTableFilters, useTableQuery } from "../hooks/use-table-filters"
import { useText } from "../hooks/use-text"
import { fetchCsv, type Query } from "../lib/client"
import type { Page } from "../lib/types"
import { type Column, ON_A_PHONE, type RowAction, useColumns } from "./columns"
import { EmptyState } from "./empty-state"
import { ErrorNotice } from "./error-notice"
import { Section } from "./section"
import { NextStep } from "./setup-line"

/** Lists by the place of their texts: heading, subheading, an empty list, and filters that match nothing. */
type ListTexts =
  | "campaigns"
  | "campaigns.days"
  | "connections"
  | "deliveries"
  | "orders"
  | "products"
  | "shows"

/** What is asked first, where something is done with all rows that the table's filters match. */
const ASKED = {
  "/products/push": null,
  "/deliveries/replay": { question: "deliveries.allAgain", confirm: "deliveries.replay" },
  "/orders/report": { question: "orders.allAgain", confirm: "orders.reportAgain" },
} as const

type ListTableProps<Row> = {
  texts: ListTexts
  /** Of the list. Its answer has the rows under the same name. */
  path: string
  columns: readonly Column<Row>[]
  rowActions?: readonly RowAction<Row>[]
  filters?: readonly Filter[]
  /** The order that the list has before a person chooses one. */
  order: string
  /** Asked for besides what stands in the address. */
  query?: Query
  rowId: (row: Row) => string
  /** Where a row leads. */
  href?: (row: Row) => string
  /** The row opens over the table, which stays as it is filtered. */
  opensOver?: boolean
  again?: (rows: Row[]) => number | false
  csv?: boolean
  bulk?: keyof typeof ASKED
  action?: { label: string; onClick: () => void }
}

/**
 * Medusa's table with its state in the address. A failed request is shown in its place, but a page that was loaded
 * before stays: a lost connection must not take away what people are reading.
 */
export function ListTable<Row>(props: ListTableProps<Row>) {
  const { texts, path, filters = [], order, again, rowId, href, action } = props
  const { t } = useText()
  const { search } = useLocation()
  const query = { ...useTableQuery(filters, order), ...props.query }
  const name = path.slice(1).replaceAll("-", "_")
  const { data, isPending, isPlaceholderData, error, refetch } = useAnswer<
    Record<string, Row[]> & Page
  >(path, { query, keep: true, again: (answer) => again?.(answer?.[name] ?? []) ?? false })
  const rows: Row[] | undefined = data?.[name]
  const isBehind = rows?.length === 0 && Number(query.offset) > 0 && Boolean(data?.count)
  useLastPage(isBehind && !isPlaceholderData, data?.count ?? 0)
  const shownFilters = useTableFilters(filters, query)
  const csv = useCsv(path, query)
  // While a list is narrowed anew nobody knows how many match.
  const bulk = useBulk(props.bulk, query, isPlaceholderData ? undefined : data?.count)
  const linkOf = (row: Row) => `${href?.(row)}${props.opensOver ? search : ""}`
  const columns = useColumns({
    columns: props.columns,
    actions: props.rowActions,
    linkOf: href && linkOf,
  })

  const heading = t(`${texts}.heading`)
  const subheading = t(`${texts}.subheading`)
  if (error && !rows) {
    return (
      <Section heading={heading} subheading={subheading}>
        <ErrorNotice error={error} onRetry={refetch} className="px-6 py-4" />
      </Section>
    )
  }
  const wordsOf = (state: "empty" | "noResults") => ({
    heading: t(`${texts}.${state}.heading`),
    description: t(`${texts}.${state}.description`),
  })
  return (
    // Medusa's toolbar keeps heading, search and button on one line: a phone is too narrow for that.
    <Container
      className={clx(
        "divide-y p-0 [&_button]:shrink-0 [&_button]:whitespace-nowrap max-md:[&_div.justify-between]:flex-wrap",
        ON_A_PHONE,
      )}
    >
      {error && <ErrorNotice error={error} onRetry={refetch} className="px-6 py-3" />}
      <DataTable
        pageSize={PAGE_SIZE}
        heading={heading}
        subHeading={subheading}
        data={rows}
        rowCount={data?.count}
        isLoading={isPending || isBehind}
        columns={columns}
        filters={shownFilters}
        // Beside any of these Medusa leaves a single `action` out.
        actions={[...(action ? [action] : []), ...(props.csv ? [csv] : []), ...bulk]}
        getRowId={rowId}
        rowHref={href && linkOf}
        emptyState={{
          empty: {
            custom: (
              <EmptyState {...wordsOf("empty")}>
                <NextStep />
              </EmptyState>
            ),
          },
          filtered: { custom: <EmptyState {...wordsOf("noResults")} /> },
        }}
      />
    </Container>
  )
}

/** Rows leave a list: a page behind the last one shows the last one that is left, and not that nothing matches. */
function useLastPage(isBehind: boolean, count: number) {
  const [, setParams] = useSearchParams()
  useEffect(() => {
    if (!isBehind) return
    const offset = Math.floor((count - 1) / PAGE_SIZE) * PAGE_SIZE
    setParams(
      (params) => {
        params.set("offset", String(offset))
        return params
      },
      { replace: true },
    )
  }, [isBehind, count, setParams])
}

/** What narrows a table; without any of it, or with a search that the route does not know, nothing is done to "all". */
function narrowing({ q, limit, offset, order, ...filters }: Query): Query | undefined {
  const named = Object.values(filters).some((value) => value !== undefined)
  return named && !q ? filters : undefined
}

/** The button that does something with all that the table's filters match; none where nothing is filtered. */
function useBulk(path: keyof typeof ASKED | undefined, query: Query, count: number | undefined) {
  const { t } = useText()
  const ask = useAsk()
  const { mutate, isPending } = useForAll(path ?? "/products/push")
  const filters = narrowing(query)
  if (!path || !filters || !count) return []
  const asked = ASKED[path]
  const press = async () => {
    const isMeant = !asked || (await ask(asked.question, asked.confirm))
    if (isMeant) mutate(filters)
  }
  return [
    {
      label: t(`${FOR_ALL[path]}.action`, { count }),
      disabled: isPending,
      onClick: () => void press(),
    },
  ]
}

/** The button that saves all rows, as they are filtered, as a CSV file. */
function useCsv(path: string, query: Query) {
  const { t } = useText()
  const fail = useFailureToast()
  const [isSaving, setSaving] = useState(false)
  const save = async () => {
    setSaving(true)
    try {
      saveAs(await fetchCsv(path, { ...query, limit: undefined, offset: undefined }), path.slice(1))
      toast.success(t("actions.csvSaved"))
    } catch (error) {
      fail(error as Error)
    } finally {
      setSaving(false)
    }
  }
  return { label: t("actions.csv"), disabled: isSaving, onClick: () => void save() }
}

function saveAs(file: Blob, name: string) {
  const link = document.createElement("a")
  link.href = URL.createObjectURL(file)
  link.download = `${name}.csv`
  link.click()
  // Some browsers read the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

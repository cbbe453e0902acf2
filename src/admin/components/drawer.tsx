import { KeyboundForm, RouteDrawer } from "@medusajs/dashboard/components"
import { Button, Heading, Skeleton } from "@medusajs/ui"
import type { ReactNode } from "react"
import type { FieldValues } from "react-hook-form"
import type { useSave } from "../hooks/use-save"
import { useText } from "../hooks/use-text"
import { ErrorNotice } from "./error-notice"
import { Loaded, type Question } from "./section"

type DrawerProps<Data> = {
  /** Undefined while it loads. */
  title: string | undefined
  /** Beside the title. */
  state?: ReactNode
  query: Question<Data>
  children: (data: Data) => ReactNode
}

/** A drawer over its page, with an address of its own; closing keeps what the page is filtered by. */
export function Drawer<Data>({ title, state, query, children }: DrawerProps<Data>) {
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
      <Loaded query={query} rows={6}>
        {children}
      </Loaded>
    </RouteDrawer>
  )
}

type DetailProps = { children: ReactNode; actions: ReactNode }

/** One row of a table in full, and what can be done with it. */
export const Detail = ({ children, actions }: DetailProps) => {
  const { t } = useText()
  return (
    <>
      <RouteDrawer.Body className="flex flex-1 flex-col gap-y-4 overflow-y-auto px-0 py-2">
        {children}
      </RouteDrawer.Body>
      <RouteDrawer.Footer className="max-md:flex-wrap max-md:gap-2 max-md:space-x-0 max-md:[&>*]:whitespace-nowrap">
        <RouteDrawer.Close asChild>
          <Button size="small" variant="secondary">
            {t("actions.close")}
          </Button>
        </RouteDrawer.Close>
        {actions}
      </RouteDrawer.Footer>
    </>
  )
}

type DrawerFormProps<Values extends FieldValues> = {
  saving: ReturnType<typeof useSave<Values>>
  /** Declared in code: shown, and changed there. */
  readOnly?: boolean
  children: ReactNode
}

export function DrawerForm<Values extends FieldValues>({
  saving: { form, submit, error, isSaving },
  readOnly = false,
  children,
}: DrawerFormProps<Values>) {
  const { t } = useText()
  return (
    <RouteDrawer.Form form={form}>
      <KeyboundForm onSubmit={submit} noValidate className="flex flex-1 flex-col overflow-hidden">
        <RouteDrawer.Body className="flex max-w-full flex-1 flex-col gap-y-6 overflow-y-auto">
          {children}
        </RouteDrawer.Body>
        {/* Above the buttons, where it is seen however long the form is. */}
        {error && <ErrorNotice error={error} className="border-t px-6 py-3" />}
        <RouteDrawer.Footer>
          <RouteDrawer.Close asChild>
            <Button size="small" variant="secondary">
              {t("actions.cancel")}
            </Button>
          </RouteDrawer.Close>
          <Button size="small" type="submit" isLoading={isSaving} disabled={readOnly}>
            {t("actions.save")}
          </Button>
        </RouteDrawer.Footer>
      </KeyboundForm>
    </RouteDrawer.Form>
  )
}

import { KeyboundForm, RouteDrawer } from "@medusajs/dashboard/components"
import { Heading } from "@medusajs/ui"
import type { ReactNode } from "react"
import type { FieldValues, UseFormReturn } from "react-hook-form"
import { DrawerFooter } from "./drawer-footer"
import { ErrorNotice } from "./error-notice"
import { RowsSkeleton } from "./section"

type FormDrawerProps<Data> = {
  heading: string
  /** What the form begins with; the form is there once it has come. */
  data: Data | undefined
  error: Error | null
  onRetry: () => unknown
  children: (data: Data) => ReactNode
}

/** A drawer of the page with a form in it: a `DrawerForm`, once its data is there. */
export function FormDrawer<Data>({
  heading,
  data,
  error,
  onRetry,
  children,
}: FormDrawerProps<Data>) {
  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <RouteDrawer.Title asChild>
          <Heading>{heading}</Heading>
        </RouteDrawer.Title>
      </RouteDrawer.Header>
      {data === undefined ? (
        <RouteDrawer.Body>
          {error ? <ErrorNotice error={error} onRetry={onRetry} /> : <RowsSkeleton rows={6} />}
        </RouteDrawer.Body>
      ) : (
        children(data)
      )}
    </RouteDrawer>
  )
}

type DrawerFormProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>
  onSubmit: () => unknown
  isSaving: boolean
  /** Declared in code: shown, and changed there. */
  readOnly?: boolean
  /** Why it was not saved, where no field says it. */
  error?: Error | null
  children: ReactNode
}

export function DrawerForm<Values extends FieldValues>({
  form,
  onSubmit,
  isSaving,
  readOnly = false,
  error,
  children,
}: DrawerFormProps<Values>) {
  return (
    <RouteDrawer.Form form={form}>
      <KeyboundForm onSubmit={onSubmit} noValidate className="flex flex-1 flex-col overflow-hidden">
        <RouteDrawer.Body className="flex max-w-full flex-1 flex-col gap-y-6 overflow-y-auto">
          {children}
        </RouteDrawer.Body>
        {/* Above the buttons, where it is seen however long the form is. */}
        {error && <ErrorNotice error={error} className="border-t px-6 py-3" />}
        <DrawerFooter isSaving={isSaving} disabled={readOnly} />
      </KeyboundForm>
    </RouteDrawer.Form>
  )
}

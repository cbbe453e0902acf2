import { KeyboundForm, RouteDrawer, useRouteModal } from "@medusajs/dashboard/components"
import { Heading, toast } from "@medusajs/ui"
import { useForm } from "react-hook-form"
import { useParams } from "react-router-dom"
import { DrawerFooter } from "../../../../../components/drawer-footer"
import { ErrorNotice } from "../../../../../components/error-notice"
import { RowsSkeleton } from "../../../../../components/section"
import { useConnection, useUpdateConnection } from "../../../../../hooks/api/connections"
import { useText } from "../../../../../hooks/use-text"
import type { Connection } from "../../../../../lib/types"
import { ConnectionFields } from "../../connection-fields"
import {
  bodyOf,
  type ConnectionFormValues,
  sameAddress,
  showBesideField,
  valuesOf,
} from "../../connection-form"

const EditConnectionPage = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useConnection(id)

  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <RouteDrawer.Title asChild>
          <Heading>{t("connections.editPage.heading")}</Heading>
        </RouteDrawer.Title>
      </RouteDrawer.Header>
      {data ? (
        <EditConnectionForm connection={data.connection} />
      ) : (
        <RouteDrawer.Body>
          {error ? <ErrorNotice error={error} onRetry={refetch} /> : <RowsSkeleton rows={6} />}
        </RouteDrawer.Body>
      )}
    </RouteDrawer>
  )
}

const EditConnectionForm = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  const { handleSuccess } = useRouteModal()
  const update = useUpdateConnection(connection.id)
  const form = useForm<ConnectionFormValues>({ defaultValues: valuesOf(connection) })

  const readOnly = connection.managed_by === "environment"
  const newAddress = !sameAddress(form.watch("base_url"), connection.base_url)
  const submit = form.handleSubmit((values) =>
    update
      .mutateAsync(bodyOf(values))
      .then(() => {
        toast.success(t("connections.toast.saved"))
        handleSuccess()
      })
      .catch((error) => showBesideField(error, form.setError)),
  )
  const atField = form.formState.isSubmitted && Object.keys(form.formState.errors).length > 0

  return (
    <RouteDrawer.Form form={form}>
      <KeyboundForm onSubmit={submit} noValidate className="flex flex-1 flex-col overflow-hidden">
        <RouteDrawer.Body className="flex max-w-full flex-1 flex-col gap-y-6 overflow-y-auto">
          <ConnectionFields
            form={form}
            connection={connection}
            token={
              newAddress
                ? {
                    hint: t("connections.fields.apiTokenAgain"),
                    required: t("connections.validation.tokenAgain"),
                  }
                : { hint: t("connections.fields.apiTokenKeep"), required: false }
            }
          />
          {update.error && !atField && <ErrorNotice error={update.error} />}
        </RouteDrawer.Body>
        <DrawerFooter isSaving={update.isPending} disabled={readOnly} />
      </KeyboundForm>
    </RouteDrawer.Form>
  )
}

export default EditConnectionPage

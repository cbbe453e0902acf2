import { useRouteModal } from "@medusajs/dashboard/components"
import { toast } from "@medusajs/ui"
import { useForm } from "react-hook-form"
import { useParams } from "react-router-dom"
import { DrawerForm, FormDrawer } from "../../../../../components/form-drawer"
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
    <FormDrawer
      heading={t("connections.editPage.heading")}
      data={data}
      error={error}
      onRetry={refetch}
    >
      {({ connection }) => <EditConnectionForm connection={connection} />}
    </FormDrawer>
  )
}

const EditConnectionForm = ({ connection }: { connection: Connection }) => {
  const { t } = useText()
  const { handleSuccess } = useRouteModal()
  const update = useUpdateConnection(connection.id)
  const form = useForm<ConnectionFormValues>({ defaultValues: valuesOf(connection) })

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
    <DrawerForm
      form={form}
      onSubmit={submit}
      isSaving={update.isPending}
      readOnly={connection.managed_by === "environment"}
      error={atField ? null : update.error}
    >
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
    </DrawerForm>
  )
}

export default EditConnectionPage

import { useRouteModal } from "@medusajs/dashboard/components"
import { Text, toast } from "@medusajs/ui"
import { useForm } from "react-hook-form"
import { useParams } from "react-router-dom"
import { DrawerForm, FormDrawer } from "../../../../../components/form-drawer"
import { TextField } from "../../../../../components/form-fields"
import { usePasteKey } from "../../../../../hooks/api/webhook"
import { useText } from "../../../../../hooks/use-text"

const PasteKeyPage = () => {
  const { t } = useText()
  const { id } = useParams()
  return (
    <FormDrawer
      heading={t("webhook.pastePage.heading")}
      data={id}
      error={null}
      onRetry={() => null}
    >
      {(connectionId) => <PasteKeyForm connectionId={connectionId} />}
    </FormDrawer>
  )
}

const PasteKeyForm = ({ connectionId }: { connectionId: string }) => {
  const { t } = useText()
  const { handleSuccess } = useRouteModal()
  const paste = usePasteKey(connectionId)
  const form = useForm<{ signature_key: string }>({ defaultValues: { signature_key: "" } })

  const submit = form.handleSubmit(({ signature_key }) =>
    paste.mutate(signature_key.trim(), {
      onSuccess: () => {
        toast.success(t("webhook.pastePage.saved"))
        handleSuccess()
      },
    }),
  )

  return (
    <DrawerForm form={form} onSubmit={submit} isSaving={paste.isPending} error={paste.error}>
      <Text size="small" className="text-ui-fg-subtle">
        {t("webhook.pastePage.hint")}
      </Text>
      <TextField
        control={form.control}
        name="signature_key"
        label={t("webhook.pastePage.field")}
        rules={{
          required: t("connections.validation.required", { field: t("webhook.pastePage.field") }),
        }}
        type="password"
        autoComplete="new-password"
      />
    </DrawerForm>
  )
}

export default PasteKeyPage

import { Form, KeyboundForm, RouteDrawer, useRouteModal } from "@medusajs/dashboard/components"
import { Heading, Input, Text, toast } from "@medusajs/ui"
import { useForm } from "react-hook-form"
import { useParams } from "react-router-dom"
import { DrawerFooter } from "../../../../../components/drawer-footer"
import { ErrorNotice } from "../../../../../components/error-notice"
import { usePasteKey } from "../../../../../hooks/api/webhook"
import { useText } from "../../../../../hooks/use-text"

const PasteKeyPage = () => {
  const { t } = useText()
  return (
    <RouteDrawer>
      <RouteDrawer.Header>
        <RouteDrawer.Title asChild>
          <Heading>{t("webhook.pastePage.heading")}</Heading>
        </RouteDrawer.Title>
      </RouteDrawer.Header>
      <PasteKeyForm />
    </RouteDrawer>
  )
}

const PasteKeyForm = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  const { handleSuccess } = useRouteModal()
  const paste = usePasteKey(id)
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
    <RouteDrawer.Form form={form}>
      <KeyboundForm onSubmit={submit} noValidate className="flex flex-1 flex-col overflow-hidden">
        <RouteDrawer.Body className="flex max-w-full flex-1 flex-col gap-y-6 overflow-y-auto">
          <Text size="small" className="text-ui-fg-subtle">
            {t("webhook.pastePage.hint")}
          </Text>
          <Form.Field
            control={form.control}
            name="signature_key"
            rules={{
              required: t("connections.validation.required", {
                field: t("webhook.pastePage.field"),
              }),
            }}
            render={({ field }) => (
              <Form.Item>
                <Form.Label>{t("webhook.pastePage.field")}</Form.Label>
                <Form.Control>
                  <Input {...field} type="password" autoComplete="new-password" />
                </Form.Control>
                <Form.ErrorMessage />
              </Form.Item>
            )}
          />
          {paste.error && <ErrorNotice error={paste.error} />}
        </RouteDrawer.Body>
        <DrawerFooter isSaving={paste.isPending} />
      </KeyboundForm>
    </RouteDrawer.Form>
  )
}

export default PasteKeyPage

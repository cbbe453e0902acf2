import { KeyboundForm, RouteFocusModal, useRouteModal } from "@medusajs/dashboard/components"
import { Button, Heading, Text, toast } from "@medusajs/ui"
import { useForm } from "react-hook-form"
import { ErrorNotice } from "../../../../components/error-notice"
import { useCreateConnection } from "../../../../hooks/api/connections"
import { useCheckStorefront } from "../../../../hooks/api/setup"
import { useText } from "../../../../hooks/use-text"
import { ConnectionFields } from "../connection-fields"
import { bodyOf, type ConnectionFormValues, EMPTY, showBesideField } from "../connection-form"

const CreateConnectionPage = () => (
  <RouteFocusModal>
    <CreateConnectionForm />
  </RouteFocusModal>
)

const CreateConnectionForm = () => {
  const { t } = useText()
  const { handleSuccess } = useRouteModal()
  const create = useCreateConnection()
  const checkStorefront = useCheckStorefront()
  const form = useForm<ConnectionFormValues>({ defaultValues: EMPTY })

  const submit = form.handleSubmit((values) =>
    create
      .mutateAsync(bodyOf(values))
      .then(({ connection }) => {
        toast.success(t("connections.toast.created"))
        // Nobody waits for it: the checklist shows what came of it.
        checkStorefront.mutate(connection.id)
        handleSuccess(`/settings/svc/${connection.id}/setup`)
      })
      .catch((error) => showBesideField(error, form.setError)),
  )
  const atField = form.formState.isSubmitted && Object.keys(form.formState.errors).length > 0

  return (
    <RouteFocusModal.Form form={form}>
      <KeyboundForm onSubmit={submit} noValidate className="flex h-full flex-col overflow-hidden">
        <RouteFocusModal.Header />
        <RouteFocusModal.Body className="flex flex-1 flex-col items-center overflow-y-auto p-6 md:p-16">
          <div className="flex w-full max-w-[720px] flex-col gap-y-8">
            <div>
              <RouteFocusModal.Title asChild>
                <Heading>{t("connections.createPage.heading")}</Heading>
              </RouteFocusModal.Title>
              <RouteFocusModal.Description asChild>
                <Text size="small" className="text-ui-fg-subtle">
                  {t("connections.createPage.hint")}
                </Text>
              </RouteFocusModal.Description>
            </div>
            <ConnectionFields
              wide
              form={form}
              token={{
                hint: t("connections.fields.apiTokenHint"),
                required: t("connections.validation.required", {
                  field: t("connections.fields.apiToken"),
                }),
              }}
            />
            {create.error && !atField && <ErrorNotice error={create.error} />}
          </div>
        </RouteFocusModal.Body>
        <RouteFocusModal.Footer>
          <RouteFocusModal.Close asChild>
            <Button size="small" variant="secondary">
              {t("actions.cancel")}
            </Button>
          </RouteFocusModal.Close>
          <Button size="small" type="submit" isLoading={create.isPending}>
            {t("actions.save")}
          </Button>
        </RouteFocusModal.Footer>
      </KeyboundForm>
    </RouteFocusModal.Form>
  )
}

export default CreateConnectionPage

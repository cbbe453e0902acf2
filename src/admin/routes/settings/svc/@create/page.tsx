import { KeyboundForm, RouteFocusModal } from "@medusajs/dashboard/components"
import { Button, Heading, Text } from "@medusajs/ui"
import { ErrorNotice } from "../../../../components/error-notice"
import { useCheckStorefront } from "../../../../hooks/api/connections"
import { post } from "../../../../hooks/api/request"
import { useSave } from "../../../../hooks/use-save"
import { useText } from "../../../../hooks/use-text"
import type { Connection } from "../../../../lib/types"
import { ConnectionFields } from "../connection-fields"
import { bodyOf, type ConnectionFormValues, EMPTY, FIELD_OF } from "../connection-form"

const CreateConnectionPage = () => (
  <RouteFocusModal>
    <CreateConnectionForm />
  </RouteFocusModal>
)

const CreateConnectionForm = () => {
  const { t } = useText()
  const checkStorefront = useCheckStorefront()
  const { form, submit, error, isSaving } = useSave<ConnectionFormValues, Connection>({
    values: EMPTY,
    saved: "connections.toast.created",
    fieldOf: FIELD_OF,
    save: async (values) => {
      const { connection } = await post<{ connection: Connection }>("/connections", bodyOf(values))
      // Nobody waits for it: the checklist shows what came of it.
      checkStorefront.mutate(connection.id)
      return connection
    },
    leadsTo: ({ id }) => `/settings/svc/${id}/setup`,
  })

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
            <ConnectionFields wide form={form} />
            {error && <ErrorNotice error={error} />}
          </div>
        </RouteFocusModal.Body>
        <RouteFocusModal.Footer>
          <RouteFocusModal.Close asChild>
            <Button size="small" variant="secondary">
              {t("actions.cancel")}
            </Button>
          </RouteFocusModal.Close>
          <Button size="small" type="submit" isLoading={isSaving}>
            {t("actions.save")}
          </Button>
        </RouteFocusModal.Footer>
      </KeyboundForm>
    </RouteFocusModal.Form>
  )
}

export default CreateConnectionPage

import { Text } from "@medusajs/ui"
import { useParams } from "react-router-dom"
import { Drawer, DrawerForm } from "../../../../../components/drawer"
import { Fields } from "../../../../../components/form-fields"
import { useConnection, webhookPath } from "../../../../../hooks/api/connections"
import { post } from "../../../../../hooks/api/request"
import { useSave } from "../../../../../hooks/use-save"
import { useText } from "../../../../../hooks/use-text"

const PasteKeyPage = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  return (
    <Drawer title={t("webhook.pastePage.heading")} query={useConnection(id)}>
      {() => <PasteKeyForm connectionId={id} />}
    </Drawer>
  )
}

const PasteKeyForm = ({ connectionId }: { connectionId: string }) => {
  const { t } = useText()
  const saving = useSave({
    values: { signature_key: "" },
    saved: "webhook.pastePage.saved",
    save: ({ signature_key }) =>
      post(`${webhookPath(connectionId)}/key`, { signature_key: signature_key.trim() }),
  })
  return (
    <DrawerForm saving={saving}>
      <Text size="small" className="text-ui-fg-subtle">
        {t("webhook.pastePage.hint")}
      </Text>
      <Fields
        control={saving.form.control}
        of={[
          {
            kind: "text",
            name: "signature_key",
            type: "password",
            label: t("webhook.pastePage.field"),
            required: true,
          },
        ]}
      />
    </DrawerForm>
  )
}

export default PasteKeyPage

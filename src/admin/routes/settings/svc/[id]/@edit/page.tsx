import { useParams } from "react-router-dom"
import { Drawer, DrawerForm } from "../../../../../components/drawer"
import { pathOf, useConnection } from "../../../../../hooks/api/connections"
import { post } from "../../../../../hooks/api/request"
import { useAsk } from "../../../../../hooks/use-actions"
import { useSave } from "../../../../../hooks/use-save"
import { useText } from "../../../../../hooks/use-text"
import type { Connection } from "../../../../../lib/types"
import { ConnectionFields } from "../../connection-fields"
import { bodyOf, type ConnectionFormValues, FIELD_OF, valuesOf } from "../../connection-form"

const EditConnectionPage = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  return (
    <Drawer title={t("connections.editPage.heading")} query={useConnection(id)}>
      {({ connection }) => <EditConnectionForm connection={connection} />}
    </Drawer>
  )
}

const EditConnectionForm = ({ connection }: { connection: Connection }) => {
  const ask = useAsk()
  const saving = useSave<ConnectionFormValues>({
    values: valuesOf(connection),
    isMeant: async ({ region_id, sales_channel_id }) =>
      (region_id === connection.region_id && sales_channel_id === connection.sales_channel_id) ||
      ask("connections.move", "actions.save"),
    saved: "connections.toast.saved",
    fieldOf: FIELD_OF,
    save: (values) => post(pathOf(connection.id), bodyOf(values)),
  })
  return (
    <DrawerForm saving={saving} readOnly={connection.managed_by === "environment"}>
      <ConnectionFields form={saving.form} connection={connection} />
    </DrawerForm>
  )
}

export default EditConnectionPage

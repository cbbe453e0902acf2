import { useParams } from "react-router-dom"
import { Drawer, DrawerForm } from "../../../../../components/drawer"
import { pathOf, useConnection } from "../../../../../hooks/api/connections"
import { post } from "../../../../../hooks/api/request"
import { useAsk, useTellLeft } from "../../../../../hooks/use-actions"
import { useSave } from "../../../../../hooks/use-save"
import { useText } from "../../../../../hooks/use-text"
import type { Connection, Left } from "../../../../../lib/types"
import { ConnectionFields } from "../../connection-fields"
import {
  type ConnectionFormValues,
  changesOf,
  FIELD_OF,
  leavesPage,
  valuesOf,
} from "../../connection-form"

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
  const tellLeft = useTellLeft()
  const saving = useSave<ConnectionFormValues>({
    values: valuesOf(connection),
    isMeant: async (values) => {
      const { region_id, sales_channel_id } = changesOf(values, connection)
      if (leavesPage(values, connection) && !(await ask("connections.leave", "actions.save")))
        return false
      return (!region_id && !sales_channel_id) || ask("connections.move", "actions.save")
    },
    saved: "connections.toast.saved",
    fieldOf: FIELD_OF,
    save: async (values) =>
      tellLeft(await post<Left>(pathOf(connection.id), changesOf(values, connection))),
  })
  return (
    <DrawerForm saving={saving} readOnly={connection.managed_by === "environment"}>
      <ConnectionFields form={saving.form} connection={connection} />
    </DrawerForm>
  )
}

export default EditConnectionPage

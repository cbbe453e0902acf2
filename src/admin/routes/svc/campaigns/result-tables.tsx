import { Tabs } from "@medusajs/ui"
import { useSearchParams } from "react-router-dom"
import { useText } from "../../../hooks/use-text"
import { CampaignTable } from "./campaign-table"
import { DayTable } from "./day-table"

/** Results by campaign or by day. Which of them stands in the address; filters stay, page and order do not. */
export const ResultTables = () => {
  const { t } = useText()
  const [params, setParams] = useSearchParams()
  const show = (by: string) =>
    setParams((before) => {
      if (by === "day") before.set("by", by)
      else before.delete("by")
      before.delete("offset")
      before.delete("order")
      return before
    })
  return (
    <Tabs
      value={params.get("by") === "day" ? "day" : "campaign"}
      onValueChange={show}
      className="flex flex-col gap-y-3"
    >
      <Tabs.List aria-label={t("campaigns.totals.heading")}>
        <Tabs.Trigger value="campaign">{t("campaigns.byCampaign")}</Tabs.Trigger>
        <Tabs.Trigger value="day">{t("campaigns.byDay")}</Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content value="campaign">
        <CampaignTable />
      </Tabs.Content>
      <Tabs.Content value="day">
        <DayTable />
      </Tabs.Content>
    </Tabs>
  )
}

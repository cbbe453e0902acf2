import { Form } from "@medusajs/dashboard/components"
import { Checkbox, Heading, Label, Text } from "@medusajs/ui"
import type { Control } from "react-hook-form"
import { useParams } from "react-router-dom"
import { Drawer, DrawerForm } from "../../../../../components/drawer"
import { Fields } from "../../../../../components/form-fields"
import { readWebhook, useWebhook, webhookPath } from "../../../../../hooks/api/connections"
import { post } from "../../../../../hooks/api/request"
import { useSave } from "../../../../../hooks/use-save"
import { useText } from "../../../../../hooks/use-text"
import { CHANGES, type DeliveryTopic, type Webhook } from "../../../../../lib/types"

/** As many as the service takes (interface §6.5). */
const HEADERS = [0, 1, 2, 3, 4]

type Values = {
  name: string
  topics: DeliveryTopic[]
  headers: { name: string; value: string }[]
}

const WebhookPage = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  return (
    <Drawer title={t("webhook.edit.heading")} query={useWebhook(id)}>
      {({ webhook }) => <WebhookForm connectionId={id} webhook={webhook} />}
    </Drawer>
  )
}

/** All of them where none is known. */
function chosenTopics(webhook: Webhook | null): DeliveryTopic[] {
  const topics = CHANGES.filter((topic) => webhook?.topics.includes(topic))
  return topics.length > 0 ? topics : CHANGES
}

type WebhookFormProps = { connectionId: string; webhook: Webhook | null }

const WebhookForm = ({ connectionId, webhook }: WebhookFormProps) => {
  const { t } = useText()
  const known = webhook?.custom_headers ?? []
  const saving = useSave<Values>({
    values: {
      name: webhook?.name ?? "",
      topics: chosenTopics(webhook),
      headers: HEADERS.map((at) => ({ name: known[at] ?? "", value: "" })),
    },
    saved: "webhook.edit.saved",
    save: async ({ name, topics, headers }, form) => {
      const { dirtyFields } = form.formState
      return post(webhookPath(connectionId), {
        ...(dirtyFields.name && name.trim() ? { name: name.trim() } : {}),
        // A request without topics asks for all of them.
        topics: dirtyFields.topics ? topics : chosenTopics(await readWebhook(connectionId)),
        // The values of those that are there are known to the service alone: all are sent, or none.
        ...(dirtyFields.headers
          ? { custom_headers: headers.filter((one) => one.name.trim() !== "") }
          : {}),
      })
    },
  })
  const { control } = saving.form

  return (
    <DrawerForm saving={saving}>
      <Fields control={control} of={[{ kind: "text", name: "name", texts: "webhook.edit.name" }]} />
      <Topics control={control} />
      <div>
        <Heading level="h3">{t("webhook.fields.headers")}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {t("webhook.edit.headersHint")}
        </Text>
      </div>
      {HEADERS.map((at) => (
        <div key={at} className="grid grid-cols-2 gap-x-4">
          <Fields
            control={control}
            of={[
              {
                kind: "text",
                name: `headers.${at}.name`,
                label: t("webhook.edit.headerName", { number: at + 1 }),
              },
              {
                kind: "text",
                name: `headers.${at}.value`,
                type: "password",
                label: t("webhook.edit.headerValue", { number: at + 1 }),
              },
            ]}
          />
        </div>
      ))}
    </DrawerForm>
  )
}

const Topics = ({ control }: { control: Control<Values> }) => {
  const { t } = useText()
  return (
    <Form.Field
      control={control}
      name="topics"
      rules={{ validate: (chosen) => chosen.length > 0 || t("webhook.edit.noTopic") }}
      render={({ field: { value, onChange } }) => (
        <Form.Item>
          <Form.Label>{t("webhook.fields.topics")}</Form.Label>
          <Form.Hint>{t("webhook.edit.topicsHint")}</Form.Hint>
          {CHANGES.map((topic) => (
            <div key={topic} className="flex items-center gap-x-2">
              <Checkbox
                id={topic}
                aria-label={topic}
                checked={value.includes(topic)}
                onCheckedChange={(checked) =>
                  onChange(CHANGES.filter((one) => (one === topic ? checked : value.includes(one))))
                }
              />
              <Label htmlFor={topic} size="small">
                {topic}
              </Label>
            </div>
          ))}
          <Form.ErrorMessage />
        </Form.Item>
      )}
    />
  )
}

export default WebhookPage

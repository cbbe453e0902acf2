import { Form, useRouteModal } from "@medusajs/dashboard/components"
import { Checkbox, Heading, Label, Text, toast } from "@medusajs/ui"
import { useForm } from "react-hook-form"
import { useParams } from "react-router-dom"
import { DrawerForm, FormDrawer } from "../../../../../components/form-drawer"
import { TextField } from "../../../../../components/form-fields"
import { useRegisterWebhook, useWebhook } from "../../../../../hooks/api/webhook"
import { useText } from "../../../../../hooks/use-text"
import { DELIVERY_TOPICS, type DeliveryTopic, type Webhook } from "../../../../../lib/types"

/** As many as the service takes (interface §6.5). */
const MOST_HEADERS = 5
/** Test deliveries come whatever topics were chosen (interface §6.2 rule 4). */
const TOPICS = DELIVERY_TOPICS.filter((topic) => topic !== "svc.test")

type Values = {
  name: string
  topics: DeliveryTopic[]
  headers: { name: string; value: string }[]
}

const WebhookPage = () => {
  const { t } = useText()
  const { id = "" } = useParams()
  const { data, error, refetch } = useWebhook(id)
  return (
    <FormDrawer heading={t("webhook.edit.heading")} data={data} error={error} onRetry={refetch}>
      {({ webhook }) => <WebhookForm connectionId={id} webhook={webhook} />}
    </FormDrawer>
  )
}

type WebhookFormProps = { connectionId: string; webhook: Webhook | null }

const WebhookForm = ({ connectionId, webhook }: WebhookFormProps) => {
  const { t } = useText()
  const { handleSuccess } = useRouteModal()
  const register = useRegisterWebhook(connectionId)
  const known = webhook?.custom_headers ?? []
  const topics = TOPICS.filter((topic) => webhook?.topics.includes(topic))
  const form = useForm<Values>({
    defaultValues: {
      name: webhook?.name ?? "",
      topics: topics.length > 0 ? topics : TOPICS,
      headers: Array.from({ length: MOST_HEADERS }, (_, at) => ({
        name: known[at] ?? "",
        value: "",
      })),
    },
  })

  const submit = form.handleSubmit(({ name, topics, headers }) => {
    const { headers: changed } = form.formState.dirtyFields
    register.mutate(
      {
        ...(name.trim() ? { name: name.trim() } : {}),
        topics,
        // The values of those that are there are known to the service alone: all are sent, or none.
        ...(changed ? { custom_headers: headers.filter((one) => one.name.trim() !== "") } : {}),
      },
      {
        onSuccess: () => {
          toast.success(t("webhook.edit.saved"))
          handleSuccess()
        },
      },
    )
  })

  return (
    <DrawerForm form={form} onSubmit={submit} isSaving={register.isPending} error={register.error}>
      <TextField
        control={form.control}
        name="name"
        label={t("webhook.edit.name")}
        hint={t("webhook.edit.nameHint")}
      />
      <Form.Field
        control={form.control}
        name="topics"
        rules={{ validate: (chosen) => chosen.length > 0 || t("webhook.edit.noTopic") }}
        render={({ field: { value, onChange } }) => (
          <Form.Item>
            <Form.Label>{t("webhook.fields.topics")}</Form.Label>
            <Form.Hint>{t("webhook.edit.topicsHint")}</Form.Hint>
            {TOPICS.map((topic) => (
              <div key={topic} className="flex items-center gap-x-2">
                <Checkbox
                  id={topic}
                  aria-label={topic}
                  checked={value.includes(topic)}
                  onCheckedChange={(checked) =>
                    onChange(
                      TOPICS.filter((one) => (one === topic ? checked : value.includes(one))),
                    )
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
      <div>
        <Heading level="h3">{t("webhook.fields.headers")}</Heading>
        <Text size="small" className="text-ui-fg-subtle">
          {t("webhook.edit.headersHint")}
        </Text>
      </div>
      {Array.from({ length: MOST_HEADERS }, (_, at) => at).map((at) => (
        <div key={at} className="grid grid-cols-2 gap-x-4">
          <TextField
            control={form.control}
            name={`headers.${at}.name`}
            label={t("webhook.edit.headerName", { number: at + 1 })}
          />
          <TextField
            control={form.control}
            name={`headers.${at}.value`}
            label={t("webhook.edit.headerValue", { number: at + 1 })}
            type="password"
            autoComplete="new-password"
          />
        </div>
      ))}
    </DrawerForm>
  )
}

export default WebhookPage

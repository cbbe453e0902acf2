/** Planning a show, from wherever one stands, and changing one that is there. */

import { useState } from "preact/hooks"
import type { EventView } from "../../../../control-api/views"
import { useDashboard } from "../dashboard"
import { localInput } from "../format"
import { Button, Field, FormDialog, Input, textOf } from "../parts"
import { go } from "../router"
import { svc } from "../service"

const HOUR = 3_600_000

export function PlanShow() {
  const { page, now } = useDashboard()
  const [open, setOpen] = useState(false)

  async function plan(values: FormData): Promise<void> {
    const event = await svc.events.create({
      page_uid: page.uid,
      kind: textOf(values, "kind") === "shoppable" ? "shoppable" : "live",
      currency: textOf(values, "currency"),
      is_published: values.has("is_published"),
      ...detailsOf(values),
    })
    go(["shows", event.id])
  }

  return (
    <>
      <Button
        label="Plan a show"
        sign="plus"
        tone="primary"
        testid="plan-show"
        run={() => setOpen(true)}
      />
      {open && (
        <FormDialog
          title="Plan a show"
          submitLabel="Plan it"
          close={() => setOpen(false)}
          submit={plan}
        >
          <NameField />
          <Field label="Kind">
            <select name="kind">
              <option value="live">Live show</option>
              <option value="shoppable">Shoppable clip</option>
            </select>
          </Field>
          <TimeFields starts={now() + HOUR - (now() % HOUR)} />
          <Field label="Currency">
            <Input
              name="currency"
              value={page.currency}
              pattern="[A-Za-z]{3}"
              maxLength={3}
              required
            />
          </Field>
          <DescriptionField />
          <label class="row">
            <input type="checkbox" name="is_published" defaultChecked />
            Published: storefronts may show it
          </label>
        </FormDialog>
      )}
    </>
  )
}

export function EditShow({ event }: { event: EventView }) {
  const [open, setOpen] = useState(false)
  const { eventName, description, eventStartTimestamp } = event.data.event
  return (
    <>
      <Button label="Edit" tone="quiet" testid="edit-show" run={() => setOpen(true)} />
      {open && (
        <FormDialog
          title="Edit the show"
          submitLabel="Save"
          done="Saved"
          close={() => setOpen(false)}
          submit={(values) =>
            svc.events.update(event.id, {
              ...detailsOf(values),
              deadline: timeOf(values, "deadline") ?? null,
            })
          }
        >
          <NameField value={eventName} />
          <TimeFields starts={eventStartTimestamp} deadline={event.deadline} />
          <DescriptionField value={description} />
        </FormDialog>
      )}
    </>
  )
}

function timeOf(values: FormData, name: string): string | undefined {
  const text = textOf(values, name)
  return text ? new Date(text).toISOString() : undefined
}

const detailsOf = (values: FormData) => ({
  name: textOf(values, "name"),
  description: textOf(values, "description") || undefined,
  starts_at: timeOf(values, "starts_at"),
  deadline: timeOf(values, "deadline"),
})

function NameField({ value }: { value?: string }) {
  return (
    <Field label="Name">
      <Input
        name="name"
        value={value}
        required
        maxLength={120}
        placeholder="Autumn at the studio"
        autoFocus
      />
    </Field>
  )
}

function DescriptionField({ value }: { value?: string }) {
  return (
    <Field label="Description">
      <textarea name="description" rows={2} defaultValue={value} />
    </Field>
  )
}

function TimeFields({ starts, deadline }: { starts: number; deadline?: number | null }) {
  const [first] = useState(starts)
  return (
    <div class="columns" style={{ "--column": "200px" }}>
      <Field label="Starts">
        <Input name="starts_at" type="datetime-local" value={first ? localInput(first) : ""} />
      </Field>
      <Field label="Prices end" hint="Empty: they hold without end">
        <Input name="deadline" type="datetime-local" value={deadline ? localInput(deadline) : ""} />
      </Field>
    </div>
  )
}

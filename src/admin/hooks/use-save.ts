import { useRouteModal } from "@medusajs/dashboard/components"
import { toast } from "@medusajs/ui"
import { useState } from "react"
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useForm,
} from "react-hook-form"
import type { ApiError } from "../lib/client"
import { useRenew } from "./api/request"
import { useReason } from "./use-reason"
import { type TextKey, useText } from "./use-text"

type Saving<Values extends FieldValues, Answer> = {
  /** What stands there now. Fields that nobody has touched follow it: somebody else may change it meanwhile. */
  values: Values
  /** Asks before something is saved that has consequences; nothing is saved where it is false. */
  isMeant?: (values: Values) => Promise<boolean>
  save: (values: Values, form: UseFormReturn<Values>) => Promise<Answer>
  /** Another page; else the form closes over its own. */
  leadsTo?: (answer: Answer) => string
  saved: TextKey
  /** Refusals, by code, that are of one field. */
  fieldOf?: Record<string, FieldPath<Values>>
}

/** A form that is saved and closed: what was refused stands beside its field, or is the `error` of the form. */
export function useSave<Values extends FieldValues, Answer = unknown>(
  saving: Saving<Values, Answer>,
) {
  const { t } = useText()
  const say = useReason()
  const renew = useRenew()
  const { handleSuccess } = useRouteModal()
  const [error, setError] = useState<Error | null>(null)
  const form = useForm<Values>({
    defaultValues: saving.values as DefaultValues<Values>,
    values: saving.values,
    resetOptions: { keepDirtyValues: true, keepDirty: true, keepErrors: true },
  })

  const submit = form.handleSubmit(async (values) => {
    setError(null)
    if (saving.isMeant && !(await saving.isMeant(values))) return
    try {
      const answer = await saving.save(values, form)
      await renew()
      toast.success(t(saving.saved))
      handleSuccess(saving.leadsTo?.(answer))
    } catch (failure) {
      const refusal = failure as ApiError
      const field = saving.fieldOf?.[refusal.code]
      if (!field) return setError(refusal)
      const { message, fix } = say(refusal)
      form.setError(
        field,
        { type: "server", message: `${message} ${fix}`.trim() },
        { shouldFocus: true },
      )
    }
  })
  return { form, submit, error, isSaving: form.formState.isSubmitting }
}

import { Heading, Text } from "@medusajs/ui"
import type { ReactNode } from "react"
import { ReasonLine } from "../../../../../components/error-notice"
import { LinkButton } from "../../../../../components/press-button"
import { Section } from "../../../../../components/section"
import { StateBadge } from "../../../../../components/state-badge"
import { When } from "../../../../../components/when"
import { useText } from "../../../../../hooks/use-text"
import type { Connection, Setup, SetupStep } from "../../../../../lib/types"
import { needsAddress, StepAction, StepDetail } from "./setup-steps"

type SetupSectionProps = { connection: Connection; setup: Setup }

/** The first steps of a connection, each with its state as the server knows it, and what to press. */
export const SetupSection = ({ connection, setup: { steps, complete } }: SetupSectionProps) => {
  const { t } = useText()
  const done = steps.filter(({ state }) => state === "done").length
  return (
    <Section
      level="h1"
      heading={connection.name}
      subheading={t("setup.subheading")}
      aside={
        <>
          <StateBadge of="connection" state={connection.status} />
          <LinkButton to={`/settings/svc/${connection.id}`}>{t("setup.toConnection")}</LinkButton>
        </>
      }
    >
      <Text size="small" weight="plus" role="status" className="px-6 py-3">
        {complete ? t("setup.complete") : t("setup.progress", { done, total: steps.length })}
      </Text>
      <ol className="divide-y">
        {steps.map((step, index) => (
          <Step
            key={step.name}
            number={index + 1}
            step={step}
            action={<StepAction connection={connection} step={step} />}
          >
            <StepDetail connection={connection} step={step} hasWebhook={hasWebhook(steps)} />
          </Step>
        ))}
      </ol>
    </Section>
  )
}

/** Only a store without a webhook has this step open, or cannot register one. */
const hasWebhook = (steps: SetupStep[]): boolean =>
  !steps.some((step) => step.name === "webhook" && (step.state === "open" || needsAddress(step)))

type StepProps = { number: number; step: SetupStep; action: ReactNode; children: ReactNode }

const Step = ({ number, step: { name, state, at, reason }, action, children }: StepProps) => {
  const { t } = useText()
  return (
    <li className="flex flex-col gap-y-3 px-6 py-4" data-step={name} data-state={state}>
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-72">
          <Heading level="h3">
            {number}. {t(`setup.steps.${name}.title`)}
          </Heading>
          <Text size="small" className="text-ui-fg-subtle text-pretty">
            {t(`setup.steps.${name}.why`)}
          </Text>
        </div>
        <div className="flex flex-wrap items-center gap-2 md:justify-end">
          {at && (
            <Text size="small" leading="compact" className="text-ui-fg-subtle">
              <When at={at} />
            </Text>
          )}
          <StateBadge of="setup" state={state} />
          {action}
        </div>
      </div>
      <ReasonLine reason={reason} />
      {children}
    </li>
  )
}

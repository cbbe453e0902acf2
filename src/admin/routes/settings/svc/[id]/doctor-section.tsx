import { clx, Text } from "@medusajs/ui"
import { ErrorNotice, RedLine } from "../../../../components/error-notice"
import { PressButton } from "../../../../components/press-button"
import { QuietLine, Section } from "../../../../components/section"
import { useTestDelivery, webhookPath } from "../../../../hooks/api/connections"
import { usePress } from "../../../../hooks/api/request"
import { useReason } from "../../../../hooks/use-reason"
import { useText } from "../../../../hooks/use-text"
import { svcFetch } from "../../../../lib/client"
import type { Finding, TestDelivery } from "../../../../lib/types"

/** Why deliveries do not arrive, from evidence, and a test delivery that is waited for. */
export const DoctorSection = ({ connectionId }: { connectionId: string }) => {
  const { t } = useText()
  // It sends deliveries to the store's own address: what it found is of that moment.
  const doctor = usePress<{ findings: Finding[] }>(
    () => svcFetch(`${webhookPath(connectionId)}/doctor`),
    { showsError: true },
  )
  const test = useTestDelivery(connectionId)

  return (
    <Section
      heading={t("webhook.doctor.heading")}
      subheading={t("webhook.doctor.subheading")}
      aside={
        <>
          <PressButton press={test} input={undefined}>
            {t("webhook.doctor.test")}
          </PressButton>
          <PressButton press={doctor} input={undefined}>
            {t("webhook.doctor.examine")}
          </PressButton>
        </>
      }
    >
      <TestResult press={test} className="px-6 py-4" />
      {doctor.error && (
        <ErrorNotice error={doctor.error} onRetry={() => doctor.mutate()} className="px-6 py-4" />
      )}
      {doctor.data && <Findings findings={doctor.data.findings} />}
    </Section>
  )
}

const Findings = ({ findings }: { findings: Finding[] }) => {
  const { t } = useText()
  const say = useReason("findings")
  if (findings.length === 0) {
    return <QuietLine role="status">{t("webhook.doctor.nothing")}</QuietLine>
  }
  return findings.map((finding) => {
    const { message, fix } = say({ ...finding, params: finding.evidence })
    return finding.severity === "info" ? (
      <Text key={finding.code} size="small" className="text-ui-fg-subtle px-6 py-4">
        {`${message} ${fix}`}
      </Text>
    ) : (
      <RedLine
        key={finding.code}
        message={message}
        fix={fix}
        severity={finding.severity}
        className="px-6 py-4"
      />
    )
  })
}

type TestResultProps = { press: ReturnType<typeof useTestDelivery>; className?: string }

/** That a test delivery is waited for, then what was seen of it. */
export const TestResult = ({ press: { isPending, data, error }, className }: TestResultProps) => {
  const { t } = useText()
  if (error) return <ErrorNotice error={error} className={className} />
  if (!isPending && !data) return null
  const { status, answered }: Partial<TestDelivery> = data?.test ?? {}
  if (isPending || status === "received") {
    return (
      <Text size="small" role="status" className={clx("text-ui-fg-subtle", className)}>
        {isPending
          ? t("webhook.doctor.waiting")
          : t("webhook.doctor.received", { status: answered ?? 200 })}
      </Text>
    )
  }
  return (
    <RedLine
      urgent
      severity={status === "refused" ? "critical" : "warning"}
      message={
        status === "refused"
          ? t("webhook.doctor.refused", { status: answered ?? "-" })
          : t("webhook.doctor.notSeen")
      }
      fix={t("webhook.doctor.examineHint")}
      className={className}
    />
  )
}

import { Button, clx, Text } from "@medusajs/ui"
import { ErrorNotice, RedLine } from "../../../../components/error-notice"
import { QuietLine, Section } from "../../../../components/section"
import { useDoctor, useTestDelivery } from "../../../../hooks/api/webhook"
import { useReason } from "../../../../hooks/use-reason"
import { useText } from "../../../../hooks/use-text"
import type { Finding, TestDelivery } from "../../../../lib/types"

/** Why deliveries do not arrive, from evidence, and a test delivery that is waited for. */
export const DoctorSection = ({ connectionId }: { connectionId: string }) => {
  const { t } = useText()
  const doctor = useDoctor(connectionId)
  const test = useTestDelivery(connectionId)

  return (
    <Section
      heading={t("webhook.doctor.heading")}
      subheading={t("webhook.doctor.subheading")}
      aside={
        <>
          <Button
            size="small"
            variant="secondary"
            isLoading={test.isPending}
            onClick={() => test.mutate()}
          >
            {t("webhook.doctor.test")}
          </Button>
          <Button
            size="small"
            variant="secondary"
            isLoading={doctor.isFetching}
            onClick={() => void doctor.refetch()}
          >
            {t("webhook.doctor.examine")}
          </Button>
        </>
      }
    >
      {test.isPending && <QuietLine role="status">{t("webhook.doctor.waiting")}</QuietLine>}
      {test.error && <ErrorNotice error={test.error} className="px-6 py-4" />}
      {test.data && !test.isPending && <TestResult test={test.data.test} className="px-6 py-4" />}
      {doctor.error && !doctor.isFetching && (
        <ErrorNotice error={doctor.error} onRetry={doctor.refetch} className="px-6 py-4" />
      )}
      {doctor.data && !doctor.isFetching && <Findings findings={doctor.data.findings} />}
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

type TestResultProps = { test: TestDelivery; className?: string }

/** What was seen of a test delivery. */
export const TestResult = ({ test, className }: TestResultProps) => {
  const { t } = useText()
  if (test.status === "received") {
    return (
      <Text size="small" role="status" className={clx("text-ui-fg-subtle", className)}>
        {t("webhook.doctor.received", { status: test.answered ?? 200 })}
      </Text>
    )
  }
  return (
    <RedLine
      urgent
      severity={test.status === "refused" ? "critical" : "warning"}
      message={
        test.status === "refused"
          ? t("webhook.doctor.refused", { status: test.answered ?? "-" })
          : t("webhook.doctor.notSeen")
      }
      fix={t("webhook.doctor.examineHint")}
      className={className}
    />
  )
}

/** One family of Prometheus' text format. Names and labels are ours, values are numbers. */
export type Metric = {
  name: string
  help: string
  type: "gauge" | "counter"
  samples: { labels?: Record<string, string>; value: number | null }[]
}

const escaped = (value: string): string =>
  value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n")

function labelsOf(labels: Record<string, string> | undefined): string {
  const pairs = Object.entries(labels ?? {}).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length > 0 ? `{${pairs.join(",")}}` : ""
}

/** Prometheus' text exposition format 0.0.4. A value that is not known is left out. Pure. */
export function prometheusText(metrics: Metric[]): string {
  return metrics
    .map(({ name, help, type, samples }) =>
      [
        `# HELP ${name} ${help}`,
        `# TYPE ${name} ${type}`,
        ...samples.flatMap(({ labels, value }) =>
          value === null ? [] : [`${name}${labelsOf(labels)} ${value}`],
        ),
        "",
      ].join("\n"),
    )
    .join("")
}

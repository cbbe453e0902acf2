/** The steps as a person does them: the page `docs/nextjs.md`, and what is said where a file is not recognised. */
import { STEPS, type Step } from "./steps"

const fence = (file: string, code: string) =>
  `\`\`\`${file.slice(file.lastIndexOf(".") + 1)}\n${code.trimEnd()}\n\`\`\``

/** One step by hand. */
export function byHand(step: Step, created: string): string {
  if ("create" in step) return `New file \`${step.file}\`:\n\n${fence(step.file, created)}`
  const edits = step.edits.map(({ find, put, times = 1 }) => {
    const where = times === 1 ? "put this" : `put this, in ${times} places`
    return `In place of\n\n${fence(step.file, find)}\n\n${where}:\n\n${fence(step.file, put)}`
  })
  return [`In \`${step.file}\`:`, ...edits].join("\n\n")
}

/** @param created the text of a step's new file; empty where it makes none */
export function guide(intro: string, created: (step: Step) => string): string {
  const steps = STEPS.map((step, index) => {
    const parts = [`### ${index + 1}. ${step.title}`, step.why, byHand(step, created(step))]
    return parts.filter(Boolean).join("\n\n")
  })
  return `${[intro.trimEnd(), ...steps].join("\n\n")}\n`
}

import { clx } from "@medusajs/ui"

type ProgressBarProps = {
  label: string
  done: number
  total: number
  tone: "moving" | "still" | "done"
}

const TONES = {
  moving: "bg-ui-tag-blue-icon",
  still: "bg-ui-tag-neutral-icon",
  done: "bg-ui-tag-green-icon",
}

/** How much of a known amount is done. Shown at zero before it starts, so that the page does not jump. */
export const ProgressBar = ({ label, done, total, tone }: ProgressBarProps) => {
  const share = total > 0 ? Math.min(done / total, 1) : 0
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={total}
      aria-valuenow={Math.min(done, total)}
      className="bg-ui-bg-component shadow-borders-base h-2 w-full overflow-hidden rounded-full"
    >
      <div
        className={clx(
          "h-full rounded-full transition-[width] duration-500 ease-out motion-reduce:transition-none",
          TONES[tone],
        )}
        style={{ width: `${share * 100}%` }}
      />
    </div>
  )
}

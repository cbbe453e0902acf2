import { clx } from "@medusajs/ui"
import type { ReactNode } from "react"
import { Link } from "react-router-dom"

type RowLinkProps = { to: string; children: ReactNode; className?: string }

/** The name in a row that opens with a click: a link, so that the keyboard and a new tab open it too. */
export const RowLink = ({ to, children, className }: RowLinkProps) => (
  <Link
    to={to}
    // The row's own click would open it a second time.
    onClick={(event) => event.stopPropagation()}
    className={clx(
      "txt-compact-small-plus text-ui-fg-base focus-visible:shadow-borders-focus block truncate rounded outline-none",
      className,
    )}
  >
    {children}
  </Link>
)

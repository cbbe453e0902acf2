import { EllipsisHorizontal } from "@medusajs/icons"
import { DropdownMenu, IconButton } from "@medusajs/ui"
import type { ReactNode } from "react"
import { useText } from "../hooks/use-text"

type RowAction = { icon: ReactNode; label: string; onClick: () => void }

/** What can be done with a row. The table's own menu has no name for people who use a screen reader. */
export const RowMenu = ({ of, actions }: { of: string; actions: RowAction[] }) => {
  const { t } = useText()
  return (
    <DropdownMenu>
      <DropdownMenu.Trigger asChild>
        <IconButton
          size="small"
          variant="transparent"
          aria-label={`${t("actions.more")}: ${of}`}
          // Else the row opens.
          onClick={(event) => event.stopPropagation()}
        >
          <EllipsisHorizontal />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Content side="bottom" align="end">
        {actions.map(({ icon, label, onClick }) => (
          <DropdownMenu.Item
            key={label}
            className="[&>svg]:text-ui-fg-subtle flex items-center gap-2"
            onClick={(event) => {
              event.stopPropagation()
              onClick()
            }}
          >
            {icon}
            {label}
          </DropdownMenu.Item>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu>
  )
}

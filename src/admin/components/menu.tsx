import { ActionMenu } from "@medusajs/dashboard/components"
import { EllipsisHorizontal } from "@medusajs/icons"
import { IconButton } from "@medusajs/ui"
import type { ComponentProps } from "react"
import { useText } from "../hooks/use-text"

type MenuProps = Pick<ComponentProps<typeof ActionMenu>, "groups">

/** Medusa's menu of actions, with a name for people who use a screen reader. */
export const Menu = ({ groups }: MenuProps) => {
  const { t } = useText()
  return (
    <ActionMenu groups={groups}>
      <IconButton size="small" variant="transparent" aria-label={t("actions.more")}>
        <EllipsisHorizontal />
      </IconButton>
    </ActionMenu>
  )
}

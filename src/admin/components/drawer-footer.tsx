import { RouteDrawer } from "@medusajs/dashboard/components"
import { Button } from "@medusajs/ui"
import { useText } from "../hooks/use-text"

type DrawerFooterProps = { isSaving: boolean; disabled?: boolean }

/** The foot of a drawer with a form: cancel, and save. */
export const DrawerFooter = ({ isSaving, disabled = false }: DrawerFooterProps) => {
  const { t } = useText()
  return (
    <RouteDrawer.Footer>
      <div className="flex items-center justify-end gap-x-2">
        <RouteDrawer.Close asChild>
          <Button size="small" variant="secondary">
            {t("actions.cancel")}
          </Button>
        </RouteDrawer.Close>
        <Button size="small" type="submit" isLoading={isSaving} disabled={disabled}>
          {t("actions.save")}
        </Button>
      </div>
    </RouteDrawer.Footer>
  )
}

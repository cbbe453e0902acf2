import { Link } from "react-router-dom"
import type { AttributedOrder } from "../lib/types"

type ShowLinkProps = { of: Pick<AttributedOrder, "campaign_uid" | "campaign_name" | "event_id"> }

/** The show that an order came from, by its name; a link where it is still known. */
export const ShowLink = ({ of: { campaign_uid, campaign_name, event_id } }: ShowLinkProps) => {
  const name = campaign_name || campaign_uid
  if (!event_id) return name
  return (
    <Link
      to={`/svc/shows/${encodeURIComponent(event_id)}`}
      className="text-ui-fg-base hover:text-ui-fg-subtle underline"
    >
      {name}
    </Link>
  )
}

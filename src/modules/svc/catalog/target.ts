import { pageOf } from "../shared/page-of"
import { requireCatalogSettings } from "./settings"

/**
 * Whom a payload is for: what one page at one address acknowledged, another one has never heard of. Stored beside the
 * hash, so that a connection that moves sends everything anew and loses nothing that was on its way meanwhile. A
 * connection whose products are read from the feed alone has told the service nothing.
 *
 * @throws SvcRefusal `setting_unreadable` where more might be sent than was asked for
 */
export function targetOf(connection: {
  base_url: string
  page_uid: string
  catalog: unknown
}): string {
  const { push } = requireCatalogSettings(connection.catalog)
  return `${push ? "" : "feed "}${pageOf(connection)}`
}

import type { openFeed } from "../../../../../../workflows/catalog"

/** Where the feed is, and who may read it. The password is shown this once. */
export type OpenFeed = Awaited<ReturnType<typeof openFeed>>

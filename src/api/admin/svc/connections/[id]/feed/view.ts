import type { openFeed } from "../../../../../../workflows/catalog"

type OpenFeed = Awaited<ReturnType<typeof openFeed>>

/** Where the feed is, and who may read it. The password is shown this once. */
export const feedView = ({ url, username, password, created_at }: OpenFeed) => ({
  url,
  username,
  password,
  created_at,
})

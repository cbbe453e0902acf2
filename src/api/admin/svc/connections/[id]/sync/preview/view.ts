import type { Preview } from "../../../../../../../workflows/catalog"

/** What an import would send. */
export const previewView = ({ complete, compared, counts, calls, examples }: Preview) => ({
  complete,
  compared,
  counts,
  calls,
  examples,
})

/** A shop's picture. Where there is none, or it cannot be loaded, an icon stands in its place. */

import { useState } from "preact/hooks"
import { Icon, type IconName } from "./icon"

type Props = { url: string | null | undefined; sign: IconName; alt?: string }

export function Picture({ url, sign, alt = "" }: Props) {
  const [broken, setBroken] = useState<string>()
  if (!url || url === broken) {
    return (
      <span class="picture no-picture">
        <Icon name={sign} />
      </span>
    )
  }
  return <img class="picture" src={url} alt={alt} loading="lazy" onError={() => setBroken(url)} />
}

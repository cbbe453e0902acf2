import { useState } from "preact/hooks"

interface PictureProps {
  url: string | null | undefined
  /** The name stands beside most pictures, which are decoration then and have no words. */
  alt?: string
  eager?: boolean
}

/** A product's picture in a frame that keeps its place while it loads. */
export function Picture({ url, alt = "", eager }: PictureProps) {
  const [broken, setBroken] = useState<string>()
  return (
    <span class="frame">
      {url && url !== broken && (
        <img
          src={url}
          alt={alt}
          loading={eager ? "eager" : "lazy"}
          decoding="async"
          width={800}
          height={800}
          onError={() => setBroken(url)}
        />
      )}
    </span>
  )
}

/**
 * How much of request bodies is in memory at a time. Counted are the bytes that really came: whoever only announces a
 * large body takes no room from others. When there is no more, the body that has been on its way for longest gives way,
 * because the service's are there within milliseconds: neither a few large senders nor many that send drop by drop can
 * shut it out. A body that is there never gives way.
 */
export class BodyRoom {
  #bytes = 0
  /** Bodies that are on their way, the oldest first. */
  readonly #coming = new Set<Body>()

  /** @param maxBytes of all bodies */
  constructor(private readonly maxBytes: number) {}

  get bytes(): number {
    return this.#bytes
  }

  /** @param giveWay is called when the room is needed for others; the request is answered, and keeps nothing */
  enter(giveWay: () => void): Body {
    const body: Body = {
      bytes: 0,
      giveWay,
      take: (bytes) => {
        if (!this.#coming.has(body)) return false
        body.bytes += bytes
        this.#bytes += bytes
        for (const oldest of this.#coming) {
          if (this.#bytes <= this.maxBytes) break
          oldest.leave()
          oldest.giveWay()
        }
        // It may have been the one to give way.
        return this.#coming.has(body)
      },
      arrived: () => void this.#coming.delete(body),
      leave: () => {
        this.#coming.delete(body)
        this.#bytes -= body.bytes
        body.bytes = 0
      },
    }
    this.#coming.add(body)
    return body
  }
}

/** The room that one request has. */
type Body = {
  bytes: number
  giveWay: () => void
  /** More bytes came. False where there is no room for them: the request has been told to give way. */
  take: (bytes: number) => boolean
  /** All of it is there. */
  arrived: () => void
  /** The request is answered; nothing of its body is kept. */
  leave: () => void
}

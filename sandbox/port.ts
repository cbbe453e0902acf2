/** The port that the sandbox listens on. A fault can close it for a while. */

import type { FastifyInstance } from "fastify"

const RETRY_MS = 250

export class Port {
  number = 0
  private reopening: NodeJS.Timeout | undefined

  constructor(
    private readonly app: FastifyInstance,
    private readonly host: string,
  ) {}

  get url(): string {
    const host = this.host.includes(":") ? `[${this.host}]` : this.host
    return `http://${host === "0.0.0.0" ? "127.0.0.1" : host}:${this.number}`
  }

  async open(port: number): Promise<void> {
    await this.app.listen({ port, host: this.host })
    const address = this.app.server.address()
    this.number = typeof address === "object" && address ? address.port : port
  }

  refuse(durationMs: number): void {
    clearTimeout(this.reopening)
    this.app.server.close()
    this.app.server.closeAllConnections()
    this.reopening = setTimeout(() => this.reopen(), durationMs)
  }

  /** Another program may have taken the port meanwhile: it is waited for, since callers know this one. */
  private reopen(): void {
    const { server } = this.app
    const onError = () => {
      this.reopening = setTimeout(() => this.reopen(), RETRY_MS)
    }
    server.once("error", onError)
    server.listen({ port: this.number, host: this.host }, () => server.off("error", onError))
  }

  async close(): Promise<void> {
    clearTimeout(this.reopening)
    await this.app.close()
  }
}

import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

/** Stands for the token in whatever is written of the request afterwards. */
const HIDDEN = "hidden"

/**
 * Takes a token out of the address of a request, and puts it where Basic authentication has it. Medusa writes the address
 * of each request to its log when it has been answered, and logs are read by many.
 */
export function hideToken(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction,
): void {
  const { token } = req.query
  if (token !== undefined) {
    if (typeof token === "string" && !req.headers.authorization) {
      req.headers.authorization = `Basic ${Buffer.from(`feed:${token}`).toString("base64")}`
    }
    req.query.token = HIDDEN
    const path = req.originalUrl.split("?")[0]
    req.originalUrl = `${path}?token=${HIDDEN}`
    req.url = `${req.url.split("?")[0]}?token=${HIDDEN}`
  }
  next()
}

/** The password of Basic authentication, whoever the user is; null where none was sent. */
export function basicPassword(authorization: string | undefined): string | null {
  const [, encoded] = /^Basic +([\w+/=-]+)$/i.exec(authorization ?? "") ?? []
  if (encoded === undefined) return null
  const [, ...password] = Buffer.from(encoded, "base64").toString("utf8").split(":")
  return password.join(":")
}

/** Draws covers for events that were given none, from name and id. */

import { createHash } from "node:crypto"
import type { FastifyInstance } from "fastify"
import { getEvent } from "../domain/event-lookups"
import type { Context } from "../store/context"

const LINES = 4

/** `GET /_sandbox/covers/{event id}.svg?portrait=1` */
export function covers(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { file: string }; Querystring: { portrait?: string } }>(
    "/_sandbox/covers/:file",
    async (request, reply) => {
      const id = request.params.file.replace(/\.svg$/, "")
      const { eventName } = getEvent(context, id).data.event
      reply.type("image/svg+xml").header("access-control-allow-origin", "*")
      return cover(id, eventName, request.query.portrait === "1")
    },
  )
}

function cover(id: string, name: string, portrait: boolean): string {
  const [width, height] = portrait ? [720, 1280] : [1280, 720]
  const size = portrait ? 64 : 72
  const lines = wrap(name, portrait ? 16 : 26)
  if (lines.length > LINES) lines.splice(LINES - 1, lines.length, `${lines[LINES - 1]} …`)
  const text = lines
    .map((line, i) => `<tspan x="64" dy="${i === 0 ? 0 : size * 1.15}">${escapeXml(line)}</tspan>`)
    .join("")
  const y = height - 64 - (lines.length - 1) * size * 1.15
  const words = `<text y="${y.toFixed(0)}" fill="#fff" font-family="system-ui, sans-serif" font-weight="700" font-size="${size}">${text}</text>`
  return drawn(id, name, width, height, words)
}

/** Colours and shapes that follow from the id, under `words`. */
function drawn(id: string, name: string, width: number, height: number, words: string): string {
  const hash = createHash("sha256").update(id).digest()
  const hue = Math.round(((hash[0] ?? 0) / 255) * 360)
  const circles = [0, 1, 2]
    .map((i) => {
      const x = ((hash[i * 3 + 1] ?? 0) / 255) * width
      const y = ((hash[i * 3 + 2] ?? 0) / 255) * height
      const r = 120 + ((hash[i * 3 + 3] ?? 0) / 255) * 260
      return `<circle cx="${x.toFixed(0)}" cy="${y.toFixed(0)}" r="${r.toFixed(0)}" fill="hsl(${(hue + 40 * (i + 1)) % 360} 70% 62%)" opacity=".35"/>`
    })
    .join("")
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeXml(name)}</title>
<defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="hsl(${hue} 62% 46%)"/><stop offset="1" stop-color="hsl(${(hue + 50) % 360} 58% 28%)"/></linearGradient><linearGradient id="s" x1="0" y1="0" x2="0" y2="1"><stop offset=".3" stop-opacity="0"/><stop offset="1" stop-opacity=".45"/></linearGradient></defs>
<rect width="${width}" height="${height}" fill="url(#g)"/>${circles}<rect width="${width}" height="${height}" fill="url(#s)"/>
${words}
</svg>`
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(word)
  }
  return lines
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

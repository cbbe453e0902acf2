/** `/_sandbox/faults`, `/_sandbox/profiles`: what goes wrong, and what is different. */

import { z } from "zod"
import { notFound } from "../contract/errors"
import { parse } from "../contract/input"
import { planSchema } from "../simulation/faults"
import type { Context } from "../store/context"
import type { Route } from "./route"

const settings = z.record(z.string(), z.unknown())

export function faultsAndProfiles(route: Route, context: Context): void {
  const { faults, profiles, changes } = context

  route("GET", "/faults", () => ({ faults: faults.list() }))
  route("POST", "/faults", ({ body }, reply) => {
    const id = context.random.id("flt")
    const fault = faults.add(id, parse(planSchema, body), context.random.seed)
    changes.touch("faults")
    reply.code(201)
    return { fault }
  })
  route("DELETE", "/faults", () => {
    faults.clear()
    changes.touch("faults")
    return { deleted: true }
  })
  route("DELETE", "/faults/:id", ({ param }) => {
    if (!faults.remove(param("id"))) throw notFound("fault", param("id"))
    changes.touch("faults")
    return { deleted: true }
  })

  route("GET", "/profiles", () => ({ profiles: profiles.list() }))
  route("POST", "/profiles", ({ body }) => {
    profiles.set(parse(settings, body))
    changes.touch("profiles")
    return { profiles: profiles.list() }
  })
  route("DELETE", "/profiles", () => {
    profiles.reset()
    changes.touch("profiles")
    return { profiles: profiles.list() }
  })
}

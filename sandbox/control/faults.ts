/** `/_sandbox/faults`, `/_sandbox/profiles`: what goes wrong, and what is different. */

import { z } from "zod"
import { notFound } from "../errors"
import { planSchema } from "../faults"
import { parse } from "../input"
import type { World } from "../world"
import type { Route } from "./route"

export function faultsAndProfiles(route: Route, world: World): void {
  const { faults, profiles, changes } = world

  route("GET", "/faults", () => ({ faults: faults.list() }))
  route("POST", "/faults", ({ body }, reply) => {
    const fault = faults.add(world.random.id("flt"), parse(planSchema, body), world.random.seed)
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
    profiles.set(parse(z.record(z.string(), z.unknown()), body))
    changes.touch("profiles")
    return { profiles: profiles.list() }
  })
  route("DELETE", "/profiles", () => {
    profiles.reset()
    changes.touch("profiles")
    return { profiles: profiles.list() }
  })
}

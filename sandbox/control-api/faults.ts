/** `/_sandbox/faults`, `/_sandbox/profiles`: what goes wrong, and what is different. */

import { z } from "zod"
import { notFound } from "../contract/errors"
import { parse } from "../contract/input"
import { planRecord, planSchema } from "../simulation/faults"
import { profileShape } from "../simulation/profiles"
import type { Context } from "../store/context"
import type { Route } from "./route"

const settings = z.record(z.string(), z.unknown())

export function faultsAndProfiles(route: Route, context: Context): void {
  const { faults, profiles, changes } = context

  const deleted = { deleted: z.literal(true) }
  const known = { faults: z.array(planRecord) }
  route("GET", "/faults", { summary: "The fault plans in force", answer: known }, () => ({
    faults: faults.list(),
  }))
  route(
    "POST",
    "/faults",
    {
      summary: "Put a fault plan in force",
      body: planSchema,
      status: 201,
      answer: { fault: planRecord },
    },
    ({ body }) => {
      const id = context.random.id("flt")
      const fault = faults.add(id, parse(planSchema, body), context.random.seed)
      changes.touch("faults")
      return { fault }
    },
  )
  route("DELETE", "/faults", { summary: "No faults any more", answer: deleted }, () => {
    faults.clear()
    changes.touch("faults")
    return { deleted: true as const }
  })
  route(
    "DELETE",
    "/faults/:id",
    { summary: "Take one fault plan away", answer: deleted },
    ({ param }) => {
      if (!faults.remove(param("id"))) throw notFound("fault", param("id"))
      changes.touch("faults")
      return { deleted: true as const }
    },
  )

  const answer = { profiles: z.array(profileShape) }
  route("GET", "/profiles", { summary: "Where the service may differ", answer }, () => ({
    profiles: profiles.list(),
  }))
  route(
    "POST",
    "/profiles",
    { summary: "Let the service differ", body: settings, answer },
    ({ body }) => {
      profiles.set(parse(settings, body))
      changes.touch("profiles")
      return { profiles: profiles.list() }
    },
  )
  route("DELETE", "/profiles", { summary: "Every profile at its default", answer }, () => {
    profiles.reset()
    changes.touch("profiles")
    return { profiles: profiles.list() }
  })
}

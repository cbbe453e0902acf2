/**
 * What is made up: the people who watch and what they say. There is nobody on the other side; a show
 * without them would look as if it were broken. Nothing else in the player is invented.
 */

import type { Product } from "./service"

const NAMES =
  "Freja Liam Amina Noah Ida Mateo Sofie Kenji Clara Oskar Leila Emil Priya Jonas Maja Tomás Astrid Yara Viktor Nora".split(
    " ",
  )

const TALK = [
  "just got here, what did I miss?",
  "that colour is unreal 😍",
  "watching from Aarhus",
  "can you show it from the back?",
  "my sister has one, she loves it",
  "is it machine washable?",
  "this price?! yes please",
  "okay I'm convinced",
  "the light in that studio though",
  "second time I buy here, so happy with the first one",
  "does it run small?",
  "putting it on my birthday list",
  "hi from Lisbon!",
  "how fast do you ship?",
  "love the quality talk, thank you",
  "finally live again 😊",
  "show us the other one please",
  "bought it last time, still perfect",
  "that would look so good in our hallway",
  "you two should be on TV",
]

const ABOUT = [
  (name: string) => `the ${name} is so nice`,
  (name: string) => `ordered the ${name} ✓`,
  (name: string) => `${name} in my basket ♥`,
  (name: string) => `please tell more about the ${name}`,
  (name: string) => `been waiting for the ${name}!`,
]

const pick = <T>(list: [T, ...T[]] | T[]): T | undefined =>
  list[Math.floor(Math.random() * list.length)]

/** How many watch when the show is entered, always the same for one campaign. */
export const viewersAtStart = (campaignUid: string) =>
  180 + ((campaignUid.charCodeAt(0) * 37) % 400)

/** How many watch a moment later. */
export const viewersNext = (viewers: number) =>
  Math.max(24, viewers + Math.round((Math.random() - 0.45) * 9))

export type Message = { id: number; from: string; text: string; kind: "viewer" | "host" | "you" }

/** Messages that are kept; older ones have scrolled away. */
const KEPT = 24

export function createChat(onChange: () => void) {
  let messages: Message[] = []
  let next = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let lastName: string | undefined

  function say(from: string, text: string, kind: Message["kind"]): void {
    messages = [...messages, { id: next++, from, text, kind }].slice(-KEPT)
    onChange()
  }

  function viewerSays(products: Product[]): void {
    lastName = pick(NAMES.filter((name) => name !== lastName))
    const product = Math.random() < 0.3 ? pick(products) : undefined
    const text = product ? pick(ABOUT)?.(product.name) : pick(TALK)
    say(lastName ?? "", text ?? "", "viewer")
  }

  return {
    messages: () => messages,
    say,

    /** Lets viewers talk until `stop`. */
    start(products: () => Product[]): void {
      if (timer) return
      for (let i = 0; i < 4; i++) viewerSays(products())
      const later = () => {
        timer = setTimeout(
          () => {
            viewerSays(products())
            later()
          },
          1600 + Math.random() * 3200,
        )
      }
      later()
    },

    stop(): void {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

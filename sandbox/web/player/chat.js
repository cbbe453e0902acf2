/** The talk beside the show: made-up viewers who say what viewers of such a show say. */

const NAMES = [
  "Freja",
  "Liam",
  "Amina",
  "Noah",
  "Ida",
  "Mateo",
  "Sofie",
  "Kenji",
  "Clara",
  "Oskar",
  "Leila",
  "Emil",
  "Priya",
  "Jonas",
  "Maja",
  "Tomás",
  "Astrid",
  "Yara",
  "Viktor",
  "Nora",
]

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
  (name) => `the ${name} is so nice`,
  (name) => `ordered the ${name} ✓`,
  (name) => `${name} in my basket ♥`,
  (name) => `please tell more about the ${name}`,
  (name) => `been waiting for the ${name}!`,
]

/** @typedef {{ id: number, from: string, text: string, kind: "viewer" | "host" | "you" }} Message */

/** Messages on screen at a time; older ones have scrolled away. */
const KEPT = 24

/** @param {{ random?: () => number, onChange: () => void }} options */
export function createChat({ random = Math.random, onChange }) {
  /** @type {Message[]} */
  let messages = []
  let next = 0
  let timer = null
  let lastName = ""

  const pick = (list) => list[Math.floor(random() * list.length)]

  function say(from, text, kind = "viewer") {
    messages = [...messages, { id: next++, from, text, kind }].slice(-KEPT)
    onChange()
  }

  function viewerSays(products) {
    const from = pick(NAMES.filter((name) => name !== lastName))
    lastName = from
    const product = random() < 0.3 && products.length > 0 ? pick(products) : null
    say(from, product ? pick(ABOUT)(product.name) : pick(TALK))
  }

  return {
    messages: () => messages,
    say,

    /** Lets viewers talk until `stop`. @param {() => { name: string }[]} products */
    start(products) {
      if (timer) {
        return
      }
      for (let i = 0; i < 4; i++) {
        viewerSays(products())
      }
      const later = () => {
        timer = setTimeout(
          () => {
            viewerSays(products())
            later()
          },
          1600 + random() * 3200,
        )
      }
      later()
    },

    stop() {
      clearTimeout(timer)
      timer = null
    },
  }
}

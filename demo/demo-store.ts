/** The store of `npm run demo`: filled with the demo's shop the first time. */

import { runStore } from "../tools/store/run-store"
import { seedDemo } from "./catalog/seed"

runStore({
  prepare: async (container) => {
    await seedDemo(container, {
      picturesUrl: process.env.DEMO_PICTURES_URL ?? "http://127.0.0.1:8000/pictures",
    })
  },
})

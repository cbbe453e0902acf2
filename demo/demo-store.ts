/** The store of `npm run demo`: filled with the demo's shop the first time. */

import { runStore } from "../tools/store/run-store"
import { movePictures } from "./catalog/move-pictures"
import { seedDemo } from "./catalog/seed"

runStore({
  prepare: async (container) => {
    const picturesUrl = process.env.DEMO_PICTURES_URL ?? "http://127.0.0.1:8000/pictures"
    const seeded = await seedDemo(container, { picturesUrl })
    if (!seeded) await movePictures(container, picturesUrl)
  },
})

/** The store of `npm run demo`: filled with the demo's shop the first time. */

import { join } from "node:path"
import { runStore } from "../tools/store/run-store"
import { seedDemo } from "./catalog/seed"

runStore({ prepare: seedDemo, pictures: join(__dirname, "catalog/pictures") })

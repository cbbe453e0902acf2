/** `npm run store`: the store with the plugin and nothing else, against any service address. */
import { runStore } from "./store/run-store"

runStore()

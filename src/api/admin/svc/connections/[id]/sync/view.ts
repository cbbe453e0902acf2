export type { Sync } from "../../../../../../workflows/catalog"

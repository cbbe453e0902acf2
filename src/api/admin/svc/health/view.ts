export type { Health } from "../../../../workflows/connections"

export type { ConnectionCheck } from "../../../../../../workflows/connections"

export type { KeyRotation } from "../../../../../workflows/connections"

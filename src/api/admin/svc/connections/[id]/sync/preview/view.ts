export type { Preview } from "../../../../../../../workflows/catalog"

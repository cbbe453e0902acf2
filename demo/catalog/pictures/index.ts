export type Drawing = string

export * from "./check-connection"
export * from "./create-connection"
export * from "./delete-connection"
export * from "./update-connection"

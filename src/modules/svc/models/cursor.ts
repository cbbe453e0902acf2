import { model } from "@medusajs/framework/utils"

/** How far a sweep has looked: everything before was dealt with. One row per sweep. */
export const SvcCursor = model
  .define("svc_cursor", {
    id: model.id({ prefix: "svccur" }).primaryKey(),
    name: model.text(),
    position: model.dateTime(),
  })
  .indexes([{ on: ["name"], unique: true }])

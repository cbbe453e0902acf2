import { eventIds } from "../event-ids"

describe("ids in an event", () => {
  it.each([
    ["one", { id: "a" }, ["a"]],
    ["several under one name, as links have them", { id: ["a", "b"] }, ["a", "b"]],
    ["a list of them", [{ id: "a" }, { id: ["b"] }], ["a", "b"]],
    ["none in a link that is dismissed by its keys", { product_id: "p" }, []],
    ["none in odd data", [null, 1, "a", { id: 5 }], []],
    ["none in no data", undefined, []],
  ])("are read: %s", (_, data, expected) => {
    expect(eventIds(data)).toEqual(expected)
  })
})

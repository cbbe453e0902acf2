import {
  FieldReader,
  readBoolean,
  readId,
  readMoment,
  readNumber,
  readText,
  readTexts,
} from "../fields"

describe("a field of a payload, whatever type it comes in", () => {
  it.each<[unknown, string | null]>([
    ["text", "text"],
    ["", ""],
    [7, "7"],
    [Number.NaN, null],
    [true, null],
    [["text"], null],
  ])("as text: %p is %p", (value, expected) => {
    expect(readText(value)).toBe(expected)
  })

  it.each<[unknown, string | null]>([
    ["id", "id"],
    [12, "12"],
    ["", null],
    ["x".repeat(500), "x".repeat(500)],
    ["陶".repeat(167), null],
    ["summer 26/æ", "summer 26/æ"],
    ["..", null],
    ["a\nb", null],
    [{}, null],
  ])("as an id: %p", (value, expected) => {
    expect(readId(value)).toBe(expected)
  })

  it.each<[unknown, number | null]>([
    [1.5, 1.5],
    [-0.5, -0.5],
    [Number.NaN, null],
    ["+1", 1],
    ["-1", -1],
    [" 1.25 ", 1.25],
    ["1e3", 1_000],
    ["1E+12", 1e12],
    ["1e-3", 0.001],
    ["1e999", null],
    ["0x10", null],
    ["a1", null],
    ["1a", null],
    [".5", null],
    [" ", null],
    ["Infinity", null],
    [true, null],
    [[1], null],
  ])("as a number: %p is %p", (value, expected) => {
    expect(readNumber(value)).toBe(expected)
  })

  it.each<[unknown, boolean | null]>([
    [true, true],
    [1, true],
    ["true", true],
    ["1", true],
    [" True ", true],
    [false, false],
    [0, false],
    ["false", false],
    ["0", false],
    ["", null],
    ["yes", null],
    [2, null],
  ])("as yes or no: %p is %p", (value, expected) => {
    expect(readBoolean(value)).toBe(expected)
  })

  it.each<[unknown, number | null]>([
    [0, 0],
    [1_767_225_600_000.9, 1_767_225_600_000],
    ["1767225600000", 1_767_225_600_000],
    [" 2026-01-01T00:00:00.000Z ", 1_767_225_600_000],
    ["2026-13-01T00:00Z", null],
    ["2026-01-01", null],
    ["+002026-01-01T00:00Z", null],
    [-1, null],
    [253_402_300_799_999, 253_402_300_799_999],
    [253_402_300_800_000, null],
    ["soon", null],
  ])("as a moment: %p is %p", (value, expected) => {
    expect(readMoment(value)).toBe(expected)
  })

  it.each<[unknown, string[] | null]>([
    [
      ["a", 1, null, {}, ""],
      ["a", "1", ""],
    ],
    ["a", ["a"]],
    [7, ["7"]],
    [{}, null],
  ])("as a list of texts: %p is %p", (value, expected) => {
    expect(readTexts(value)).toEqual(expected)
  })
})

describe("the fields of an object", () => {
  it("are read each on its own, and those that cannot be read are named", () => {
    const reader = new FieldReader({
      name: "Mug",
      price: "a lot",
      absent: undefined,
      nothing: null,
      image: { url: "u", width: "wide" },
      event: "not an object",
      none: null,
    })
    expect(reader.get("name", readText)).toBe("Mug")
    expect(reader.get("price", readNumber)).toBeNull()
    expect(reader.get("absent", readNumber)).toBeNull()
    expect(reader.get("nothing", readNumber)).toBeNull()
    expect(reader.get("unheard of", readNumber)).toBeNull()
    expect(reader.get("toString", readText)).toBeNull()
    expect(reader.unread).toEqual(["price"])

    const image = reader.inside("image")
    expect([image.get("url", readText), image.get("width", readNumber)]).toEqual(["u", null])
    expect(reader.unread).toEqual(["price", "image.width"])
    expect(reader.inside("event").get("id", readId)).toBeNull()
    expect(reader.inside("none").get("id", readId)).toBeNull()
    expect(reader.inside("absent").get("id", readId)).toBeNull()
    expect(reader.inside("toString").get("name", readText)).toBeNull()
    expect(reader.unread).toEqual(["price", "image.width", "event"])
    expect(image.inside("size").inside("unit").get("id", readId)).toBeNull()
    const deep = new FieldReader({ a: { b: { c: [] } } })
    expect(deep.inside("a").inside("b").get("c", readText)).toBeNull()
    expect(deep.unread).toEqual(["a.b.c"])
  })

  it("are none where there is no object", () => {
    const reader = new FieldReader("text")
    expect(reader.get("length", readNumber)).toBeNull()
    expect(reader.unread).toEqual([])
  })

  it("are not looked for in what every object has", () => {
    const inherited: object = Object.create({ name: "of the prototype" })
    const reader = new FieldReader(inherited)
    expect(reader.get("name", readText)).toBeNull()
  })
})

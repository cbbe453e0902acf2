import { catalogChanges, catalogSettings, readCatalogSettings } from "../settings"

const DEFAULTS = catalogSettings.parse({})

describe("the catalog settings of a connection's row", () => {
  it("are the defaults where nothing is said", () => {
    for (const nothing of [null, undefined, {}]) {
      expect(readCatalogSettings(nothing)).toEqual({ settings: DEFAULTS, unreadable: null })
    }
  })

  it("keep what they say beside a key of another version", () => {
    const said = { push: false, exclude: { tag_ids: ["ptag_private"] }, locale: "da-DK" }
    expect(readCatalogSettings({ ...said, channel_label: "x" })).toEqual({
      settings: { ...DEFAULTS, ...said },
      unreadable: null,
    })
  })

  it.each([
    ["country_code", "DNK"],
    ["locale", 7],
    ["product_url_template", "/p/{sku}"],
  ])("lose the one that cannot be read, where it narrows nothing: %s", (name, value) => {
    const said = { push: false, exclude: { tag_ids: ["ptag_private"] } }
    expect(readCatalogSettings({ ...said, [name]: value })).toEqual({
      settings: { ...DEFAULTS, ...said },
      unreadable: null,
    })
  })

  it.each<[string, unknown]>([
    ["push", "no"],
    ["push", null],
    ["include", { tag_ids: "ptag_1" }],
    // A rule of another version: what it leaves out is not known here.
    ["include", { brand_ids: ["b"] }],
    ["exclude", { tag_ids: ["ptag_1"], brand_ids: ["b"] }],
    ["exclude", []],
    ["exclude", "everything"],
  ])("name the one that cannot be read, where it narrows what is sent: %s %j", (name, value) => {
    expect(readCatalogSettings({ locale: "da-DK", [name]: value }).unreadable).toBe(
      `catalog.${name}`,
    )
  })

  it.each(["yes", 5, [], true])("that are no settings at all are named: %j", (stored) => {
    expect(readCatalogSettings(stored).unreadable).toBe("catalog")
  })
})

describe("a change of a connection's catalog settings", () => {
  it.each<[string, unknown]>([
    ["include", { collections: ["pcol_1"] }],
    ["include", { metadata: { live: { deep: true } } }],
    ["exclude", { tag_ids: "ptag_1" }],
    ["inclued", {}],
    ["product_url_template", "/p/{sku}"],
    ["product_url_template", "/p"],
    ["product_url_template", "javascript:{id}"],
    ["extra_fields", ["brand"]],
    ["locale", "not a language"],
  ])("is refused where it cannot be read: %s %j", (name, value) => {
    expect(catalogChanges.safeParse({ [name]: value }).success).toBe(false)
  })

  it("may leave out what it does not name, and has rules that leave nothing out", () => {
    expect(catalogChanges.parse({ include: {}, exclude: {} })).toEqual({ include: {}, exclude: {} })
  })
})

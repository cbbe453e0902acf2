/**
 * Which keys may have signed a delivery after what seldom happens (gap 12). Registrations, rotations and pastes:
 * `integration-tests/http/webhooks/keys.ts`.
 */
import { Keyring } from "../../connections/secrets"
import {
  ASKING_MS,
  assertKeysCanBeKept,
  IN_FLIGHT_MS,
  type KeyColumns,
  keyPasted,
  keyTold,
  keyUntold,
  ROTATION_MS,
  readKeys,
  rotationAsked,
} from "../signature-keys"

const NOW = 1_800_000_000_000
const keyring = new Keyring(`test:${Buffer.alloc(32, 7).toString("base64")}`)
const EMPTY: KeyColumns = {
  signature_key: null,
  signature_key_fingerprint: null,
  signature_key_updated_at: null,
  candidate_key: null,
  rotation: null,
  rotating_until: null,
}

/** A row, as the database keeps it. */
class Row {
  columns = EMPTY
  apply(changed: Partial<KeyColumns> | null) {
    this.columns = { ...this.columns, ...changed }
    return this
  }
  paste(key: string, now = NOW) {
    return this.apply(keyPasted(keyring, { id: "w1", ...this.columns }, key, now))
  }
  told(key: string, until: number | null = null, now = NOW) {
    return this.apply(keyTold(keyring, "w1", key, now, until))
  }
  asked(now = NOW) {
    return this.apply(rotationAsked(now))
  }
  read(now = NOW) {
    const { rotation, rotating_until } = this.columns
    const isOver = rotation === "asked" && (rotating_until?.getTime() ?? 0) <= now
    return readKeys(keyring, { webhook_id: "w1", rotation_over: isOver, ...this.columns })
  }
  keys(now = NOW) {
    return this.read(now).readable.map(({ key }) => key)
  }
}

describe("the keys of a subscriber", () => {
  it("are none where the service rotated and did not say the new one", () => {
    const row = new Row().told("first").paste("pasted").apply(keyUntold())
    expect(row.read()).toEqual({ readable: [], unreadable: true })
    expect(row.columns.signature_key_fingerprint).toBeNull()
  })

  it("are the candidate alone where the current one was lost", () => {
    const row = new Row().told("first").paste("pasted").apply({ signature_key: null })
    expect(row.read()).toMatchObject({ readable: [{ key: "pasted" }], unreadable: false })
  })

  it("are encrypted for their own place, so that rows of earlier versions are read by later ones", () => {
    const { columns } = new Row().told("first").paste("pasted")
    const place = { table: "svc_webhook", id: "w1" }
    const decrypt = (value: string | null, column: string) =>
      keyring.decrypt(value ?? "", { ...place, column })
    expect(decrypt(columns.signature_key, "signature_key")).toBe("first")
    expect(decrypt(columns.candidate_key, "candidate_key")).toBe("pasted")
    expect(() => decrypt(columns.signature_key, "candidate_key")).toThrow()
  })

  it("do not change by a paste of one that is known", () => {
    const row = new Row().told("first").paste("second")
    for (const key of ["first", "second"]) {
      expect(keyPasted(keyring, { id: "w1", ...row.columns }, key, NOW)).toBeNull()
    }
  })

  it("keep a rotation that is under way when one is pasted, and settle one that had its time", () => {
    const row = new Row().told("first").asked()
    row.paste("pasted")
    expect(row.columns).toMatchObject({
      rotation: "asked",
      rotating_until: new Date(NOW + ROTATION_MS),
    })
    expect(row.keys()).toEqual(["pasted", "first"])
    // Nobody knows what came of the rotation, and its time is over: the old key is not the service's.
    expect(row.keys(NOW + ROTATION_MS)).toEqual(["pasted"])

    const late = new Row().told("first").asked()
    late.paste("pasted", NOW + ROTATION_MS)
    expect(late.columns).toMatchObject({ rotation: null, rotating_until: null })
    expect(late.keys(NOW + ROTATION_MS)).toEqual(["pasted", "first"])
  })

  it("are settled by a paste of the one that we have, once a rotation without an answer is no call any more", () => {
    const row = new Row().told("first").asked()
    const settled = { rotation: null, rotating_until: null }
    const paste = (key: string, ms: number) =>
      keyPasted(keyring, { id: "w1", ...row.columns }, key, NOW + ms)
    expect(paste("first", ASKING_MS)).toBeNull()
    expect(paste("first", ASKING_MS + 1)).toEqual(settled)
    expect(paste("first", 24 * ROTATION_MS)).toEqual(settled)
    // That the candidate is pasted once more says nothing new.
    row.paste("second")
    expect(paste("second", ASKING_MS + 1)).toBeNull()
    row.told("first", NOW + ROTATION_MS)
    expect(paste("first", ASKING_MS + 1)).toBeNull()
  })

  it("keep the current one after a rotation without an answer, where nothing was pasted", () => {
    expect(
      new Row()
        .told("first")
        .asked()
        .keys(NOW + ROTATION_MS),
    ).toEqual(["first"])
  })

  it("that cannot be read are left out and said", () => {
    const other = new Keyring(`other:${Buffer.alloc(32, 8).toString("base64")}`)
    const row = new Row().told("first").apply(keyTold(other, "w1", "foreign", NOW, null))
    expect(row.read()).toEqual({ readable: [], unreadable: true })
    row.paste("pasted")
    expect(row.read()).toMatchObject({ readable: [{ key: "pasted" }], unreadable: true })
    // A key of another row is not this row's.
    const stolen = { ...new Row().told("first").columns }
    expect(readKeys(keyring, { webhook_id: "w2", rotation_over: false, ...stolen })).toEqual({
      readable: [],
      unreadable: true,
    })
  })

  it("are not asked for where they cannot be kept", () => {
    expect(() => assertKeysCanBeKept(keyring)).not.toThrow()
    expect(() => assertKeysCanBeKept(new Keyring(undefined))).toThrow("SVC_ENCRYPTION_KEYS")
    expect(IN_FLIGHT_MS).toBeLessThan(60_000)
  })
})

/** Order numbers and conversions (interface §1, §4.3). */

import { Box, type ErrorBody } from "./harness"

const box = Box.forAll()
let campaignUid: string

beforeEach(async () => {
  campaignUid = (await box.event()).campaign_uid
})

const issue = () => box.orderNumber(campaignUid)
const report = (body: unknown, headers?: Record<string, string>) =>
  box.call<ErrorBody>("POST", "/processOrders", body, headers)
const converted = async () =>
  (await box.orders()).filter(({ converted_at }) => converted_at !== null)

test("§4.3 the stored order number is sent as svcOrderNumber, and converts", async () => {
  const [first, second] = [await issue(), await issue()]
  expect(first).not.toBe(second)
  await box.clock({ advance: "10m" })
  const answer = await report({ svcOrderNumber: first })
  expect([answer.status, answer.body]).toEqual([
    200,
    { svcOrderNumber: first, campaignUid, status: "converted" },
  ])
  const { conversions } = await box.control<{ conversions: { order_no: string }[] }>(
    "GET",
    "/conversions",
  )
  expect(conversions.map(({ order_no }) => order_no)).toEqual([first])
  const [order] = await converted()
  expect((order?.converted_at ?? 0) - (order?.issued_at ?? 0)).toBe(600_000)
})

test("§4.3 without the call a checkout was begun and never converted", async () => {
  const number = await issue()
  await box.clock({ advance: "2d" })
  expect(await box.orders()).toMatchObject([
    { order_no: number, campaign_uid: campaignUid, converted_at: null, reports: 0 },
  ])
})

test("§4.3 the same number again, with whatever other fields, is the same conversion", async () => {
  const number = await issue()
  await report({ svcOrderNumber: number })
  const [before] = await converted()
  await box.clock({ advance: "1h" })
  const again = { svcOrderNumber: number, total: 12, currency: "DKK" }
  expect((await report(again)).status).toBe(200)
  expect(await converted()).toEqual([{ ...before, reports: 2 }])
})

test("§4.3 a number that was never issued, or to another page, is not found", async () => {
  expect((await report({ svcOrderNumber: "SVC-NOPE" })).status).toBe(404)
  await box.control("POST", "/pages", { uid: "other", api_token: "other-token" })
  const foreign = await report(
    { svcOrderNumber: await issue() },
    { authorization: "Token other-token" },
  )
  expect([foreign.status, foreign.body.error.code]).toEqual([404, "order_not_found"])
  expect(await converted()).toEqual([])
})

test("§4.3 a request without a number is refused", async () => {
  for (const body of [{}, { svcOrderNumber: "" }, { svcOrderNumber: 7 }, { orderNo: "x" }]) {
    expect((await report(body)).status).toBe(400)
  }
})

test("§1 a checkout in the player begins with an order number of the campaign", async () => {
  const answer = await box.call<{ order_no: string }>(
    "POST",
    "/player-api/checkout",
    { page_uid: "demo-page", campaign_uid: campaignUid },
    { authorization: "" },
  )
  expect(answer.status).toBe(201)
  expect(await box.orders()).toMatchObject([
    { order_no: answer.body.order_no, campaign_uid: campaignUid, page_uid: "demo-page" },
  ])
})

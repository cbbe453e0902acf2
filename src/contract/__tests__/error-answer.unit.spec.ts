import { readErrorSentence } from ".."

describe("what the service says of an error", () => {
  it.each([
    ['{"message":"The sku is missing."}', "The sku is missing."],
    ['{"error":"Unknown product"}', "Unknown product"],
    ['{"error":{"code":"invalid","message":" The price is negative. "}}', "The price is negative."],
    ['{"type":"invalid_data","status":422,"message":"No name."}', "No name."],
  ])("%s is told as a sentence", (body, sentence) => {
    expect(readErrorSentence(body)).toBe(sentence)
  })

  it.each([
    '{"message":"Invalid","errors":[{"field":"price"}]}',
    '{"error":{"message":"Invalid","fields":["price"]}}',
    '{"error":{"code":"invalid"}}',
    '{"message":7}',
    '["price"]',
    '{"message":"cut o',
    "Bad Gateway",
  ])("%s stays as it came, because more may be in it", (body) => {
    expect(readErrorSentence(body)).toBe(body)
  })
})

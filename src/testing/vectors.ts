/** One body with its signature, as base64 of HMAC-SHA256 over `<timestamp>.<raw body>` (interface §5 rule 3). */
export type GoldenVector = {
  /** What is special about it. */
  name: string
  /** The signature key as the service shows it; its UTF-8 bytes are the secret. */
  key: string
  /** The value of `X-Svc-Timestamp`, ms since the epoch. */
  timestamp: string
  /** The raw body. In base64, because some are no text. */
  body_base64: string
  signature: string
}

/**
 * Signatures that were made with openssl, for testing a verifier of your own in any language: odd characters and line
 * ends, keys of all lengths, bodies that are no JSON and bytes that are no UTF-8.
 */
export const GOLDEN_VECTORS: readonly GoldenVector[] = [
  {
    name: "body: an envelope",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7ImlkIjoiMSJ9fQ==",
    signature: "NAgv3qeqEcSrRb5ZUm7ETT6XhDjrjTH5+E+D0RX1bLI=",
  },
  {
    name: "body: svc.test",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6InN2Yy50ZXN0Iiwib2NjdXJyZWRBdCI6MTcwMDAwMDAwMDAwMCwiZGVsaXZlcnlVaWQiOiJkbHZfMSIsImRlbGl2ZXJ5QXQiOjE3MDAwMDAwMDAwMDAsIm1ldGFkYXRhIjp7InBhZ2VVaWQiOiJkZW1vLXBhZ2UiLCJzdWJzY3JpYmVyVWlkIjoid2hrXzEiLCJldmVudFVpZCI6ImV2dF8xIn0sImRhdGEiOnsidGVzdCI6dHJ1ZX19",
    signature: "dgcG2jlARU1jVnZDNTnEULek1waUSXlQXUwn69C1b1U=",
  },
  {
    name: "body: empty",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "",
    signature: "gQBEQX6hq4nYlD4ih8Bo1yB4VCYf6rCpqfu68qL0kZQ=",
  },
  {
    name: "body: one space",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "IA==",
    signature: "TCDKAkSoi44KW5uhAPZM8gmXUrEIg5Rp1O8MiA7MhNo=",
  },
  {
    name: "body: danish",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7Im5hbWUiOiLDhmJsZWdyw7hkIHDDpSDDuGVuIn19",
    signature: "6N8TPbUweZX1SzOh/noqNqnuk6WAuO4WLVeKnadzZNs=",
  },
  {
    name: "body: danish, decomposed",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7Im5hbWUiOiJhzIogb2cgZcyBIn19",
    signature: "Lqt2K3MTDetNuFsvYMuYGB3vOomWeVMghcPTWUW5bO8=",
  },
  {
    name: "body: japanese",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7Im5hbWUiOiLjg6njgqTjg5bphY3kv6EifX0=",
    signature: "r4Ivc2BQyuILXi1SQ42ssvRV9h3eyG+aclf7QbuxebI=",
  },
  {
    name: "body: emoji",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7Im5hbWUiOiLwn46l8J+RqeKAjfCfkanigI3wn5GnIn19",
    signature: "y/MPyABOEbPgnCtRAswVZ2kVAST0mA+WtZepQgnBCnA=",
  },
  {
    name: "body: escaped unicode",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7Im5hbWUiOiJcdTAwYzZibGVnclx1MDBmOGQgXHVkODNjXHVkZmE1In19",
    signature: "D+l2FdXh3ifTecxWFMnXgv3fa/GA/c/zqJMz734RnJw=",
  },
  {
    name: "body: lone surrogate, escaped",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7Im5hbWUiOiJcdWQ4M2MifX0=",
    signature: "J9EX0ytEL1e9TRJwUEiiHWPHSfUBpHJUwx43BI4yA4o=",
  },
  {
    name: "body: byte order mark",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "77u/eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7fX0=",
    signature: "BL1fTjss2YTfVLuEmqS2CQpGSMvzgMEEdrDRSd/jL8o=",
  },
  {
    name: "body: line separators",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7Im5hbWUiOiJh4oCoYuKAqWMifX0=",
    signature: "3VVeziFuaeNX4p07GOOcfzfQaS8Jg7dSXBNucwWVP4c=",
  },
  {
    name: "body: CRLF at the end",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7fX0NCg==",
    signature: "zKzmpWrFOoqbKvRRs7IAUihROjTthPjlJkGWDii8cJE=",
  },
  {
    name: "body: indented with CRLF",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "ew0KICAidmVyc2lvbiI6ICJ2MSIsDQogICJ0b3BpYyI6ICJsaXZlX2V2ZW50LmNyZWF0ZWQiDQp9",
    signature: "3GT4gGMRTw+qsWN4U6R7QRFI+cIJu7+QIfEFJ44PVOM=",
  },
  {
    name: "body: keys in order",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJhIjoxLCJiIjoyLCJjIjozfQ==",
    signature: "EssYSuq3bPEce/cnymY8zrI9dZE2W8NiUis26l6V7Ds=",
  },
  {
    name: "body: keys in another order",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJjIjozLCJiIjoyLCJhIjoxfQ==",
    signature: "dPLMKr2/I8WJZ7LImKOfcleySRHui16o65aN1AVoQ9U=",
  },
  {
    name: "body: a key twice",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJhIjoxLCJhIjoyfQ==",
    signature: "FnIoaOBidrqvxrwuWfDrNSprLd3roOn6R9a2hZ+E9aQ=",
  },
  {
    name: "body: big integer",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJuIjo5MDA3MTk5MjU0NzQwOTkzfQ==",
    signature: "YFFRKW44DX8NCtmaKsS8WpEohO2zGYjLWDVUwUz1hJ4=",
  },
  {
    name: "body: escaped slash",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJ1cmwiOiJodHRwczpcL1wvc2hvcC5leGFtcGxlXC9sYW1wIn0=",
    signature: "EM4q2no7CgWaacYP0+Uukdr6Zx02MADP129y1Sx00fg=",
  },
  {
    name: "body: plain slash",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJ1cmwiOiJodHRwczovL3Nob3AuZXhhbXBsZS9sYW1wIn0=",
    signature: "wx4hpxOQQOjBukKsU1aUz1rfDNWNVbKcjXL5eZWYGBk=",
  },
  {
    name: "body: no JSON",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "aGVsbG8=",
    signature: "1LVHi7TrTYuQUfzKPwQLWLMwEFx2TKGwsxRzhuvShIo=",
  },
  {
    name: "bytes: invalid UTF-8",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJuYW1lIjoi//4ifQ==",
    signature: "8BVAqCK5/hlLXTasZ9jGgGFJxSTgM3cEff/MOq/zzn0=",
  },
  {
    name: "bytes: a NUL",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "eyJhIjoiACJ9",
    signature: "I+dTRbewVY+ZNSgaZLczHxyFBhBS9Mw/frR7/TCa97c=",
  },
  {
    name: "bytes: gzip header",
    key: "Y+JyvcFemucEbphN9kfpB2sKaTew5S95JRIXRDFU6X8=",
    timestamp: "1700000000000",
    body_base64: "H4sIAAAAAAA=",
    signature: "LFZFbEmgHgFAOfS18jpCl4x1Iv+a5Pb9fNHe0VeG6lM=",
  },
  {
    name: "key: one letter, at 0",
    key: "k",
    timestamp: "0",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7ImlkIjoiMSJ9fQ==",
    signature: "p7//gKOjyd/IYd0SUnoNxgSD3IOq/MOQHG2rvmfiJRw=",
  },
  {
    name: "key: longer than a block, at 9007199254740991",
    key: "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    timestamp: "9007199254740991",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7ImlkIjoiMSJ9fQ==",
    signature: "0xQAEfUKGzci81txBvaKxnhyYCi14Ux0hGvfLryrZy0=",
  },
  {
    name: "key: exactly a block, at 1795172502791",
    key: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
    timestamp: "1795172502791",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7ImlkIjoiMSJ9fQ==",
    signature: "BZIvXMs1w19dBAf6xeGvtAIi1Yme+yYqfiyWFl34fq0=",
  },
  {
    name: "key: unicode, at 1700000000000",
    key: "nøgle-ключ-鍵-🔑",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7ImlkIjoiMSJ9fQ==",
    signature: "r6mqh7mAK376PJg3SW/K30DGqBbOWgh+ov4/OEvKMCM=",
  },
  {
    name: "key: with a dot, at 1700000000000",
    key: "whk.secret.1700000000000",
    timestamp: "1700000000000",
    body_base64:
      "eyJ2ZXJzaW9uIjoidjEiLCJ0b3BpYyI6ImxpdmVfZXZlbnQudXBkYXRlZCIsIm9jY3VycmVkQXQiOjE3MDAwMDAwMDAwMDAsImRlbGl2ZXJ5VWlkIjoiZGx2XzEiLCJkZWxpdmVyeUF0IjoxNzAwMDAwMDAwMDAwLCJtZXRhZGF0YSI6eyJwYWdlVWlkIjoiZGVtby1wYWdlIiwic3Vic2NyaWJlclVpZCI6Indoa18xIiwiZXZlbnRVaWQiOiJldnRfMSJ9LCJkYXRhIjp7ImlkIjoiMSJ9fQ==",
    signature: "mZwPOb2+BLrO5kGv9+1ywYpEADy5vAMBov+iij5m5Mc=",
  },
  {
    name: "key: prefixed, empty body",
    key: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
    timestamp: "1700000000000",
    body_base64: "",
    signature: "nN6wQd+l5n+TzrQJ3yOODXlDsKGq6D6Oz8G25u0yHc4=",
  },
]

import { isOutage, sqlProblem } from "../sql-error"

/** As knex throws it: the statement, with its values, is put before what Postgres said. */
const failedStatement = (statement: string, said: string, code: string | null = "22P02"): Error =>
  Object.assign(new Error(`${statement} - ${said}`), code === null ? {} : { code })

describe("what went wrong, for people", () => {
  it("is without the statement", () => {
    const error = failedStatement("select a - b from c where d = 'e - f'", "deadlock detected")
    expect(sqlProblem(error)).toBe("deadlock detected")
    // Where the connection was lost meanwhile.
    const lost = failedStatement("select 'a secret'", "Connection terminated unexpectedly", null)
    expect(sqlProblem(lost)).toBe("Connection terminated unexpectedly")
  })

  it("is all that the database said", () => {
    const said = 'invalid input syntax for type numeric: "10 - 20 - 30"'
    expect(sqlProblem(failedStatement('select "a" - 1', said))).toBe(said)
  })

  it("is without the statement where a quote is never closed", () => {
    expect(sqlProblem(failedStatement("select 'a secret' - 1", 'wrong at "'))).toBe('wrong at "')
  })

  it("is all that an error says which is not of the database", () => {
    const said = 'The file "winter - spring.csv" cannot be read.'
    expect(sqlProblem(new Error(said))).toBe(said)
    expect(sqlProblem(said)).toBe(said)
  })
})

describe("an outage", () => {
  it.each(["EPIPE", "ECONNRESET", "57P01"])("is what fails with %s", (code) => {
    expect(isOutage(failedStatement("select 1", "it broke", code))).toBe(true)
  })

  it.each(["22P02", "23505"])("is not what fails with %s", (code) => {
    expect(isOutage(failedStatement("select 1", "the connection_id is wrong", code))).toBe(false)
  })
})

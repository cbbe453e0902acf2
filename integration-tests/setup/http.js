/** Before each file that boots Medusa. */
const { MetadataStorage } = require("@medusajs/framework/mikro-orm/core")

// Entity metadata of one file must not reach the next.
MetadataStorage.clear()
// A database that is put back whole loses its connections, and knex says so on the console each time.
for (const level of ["log", "info", "warn", "error"]) console[level] = () => undefined

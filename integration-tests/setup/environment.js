/** Where each test file runs, as far as it starts other programs or a store. */
const { TestEnvironment } = require("jest-environment-node")

// A store that runs in it would keep a worker alive for ever when jest was ended by a signal.
if (process.channel) process.once("disconnect", () => process.exit(1))

module.exports = class extends TestEnvironment {
  async handleTestEvent({ name, test }) {
    // Photographs the pages that are open when a test fails, before anything is closed.
    if (name === "test_fn_failure") await this.global.photographPages?.(test.name)
  }
}

/** Photographs the pages that are open when a test fails, before anything is closed. */
const { TestEnvironment } = require("jest-environment-node")

module.exports = class extends TestEnvironment {
  async handleTestEvent({ name, test }) {
    if (name === "test_fn_failure") await this.global.photographPages?.(test.name)
  }
}

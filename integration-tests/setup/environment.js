/** Where each test file runs. */
const vm = require("node:vm")
const { TestEnvironment } = require("jest-environment-node")

// A store that runs in it would keep a worker alive for ever when jest was ended by a signal.
if (process.channel) process.once("disconnect", () => process.exit(1))

module.exports = class extends TestEnvironment {
  /** Jest watches each use of a global name (`Math`, `Promise`), which makes it fifty times as slow. */
  constructor(config, context) {
    const { createContext } = vm
    vm.createContext = () => createContext(vm.constants.DONT_CONTEXTIFY)
    try {
      super(config, context)
    } finally {
      vm.createContext = createContext
    }
  }

  async handleTestEvent({ name, test }) {
    // Photographs the pages that are open when a test fails, before anything is closed.
    if (name === "test_fn_failure") await this.global.photographPages?.(test.name)
  }
}

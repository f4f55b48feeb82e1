// Mocha's usual output, and a summary in a file for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => skipped.push(test.fullTitle()));
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const { passes, failures } = this.stats;
      writeFileSync(options.reporterOptions.file, JSON.stringify({ passed: passes, failed: failures, skipped }));
    });
  }
};

// Mocha's usual output, and a summary in a file for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    const failures = [];
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => skipped.push(test.fullTitle()));
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failures.push({ title: test.fullTitle(), reason: reasonOf(error) }),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      writeFileSync(options.reporterOptions.file, JSON.stringify({ passed: this.stats.passes, failures, skipped }));
    });
  }
};

/** With what lies beneath it: a property that fails says there by which case. */
function reasonOf(error) {
  const reason = error?.stack ?? String(error);
  return error?.cause === undefined ? reason : `${reason}\nbecause of ${reasonOf(error.cause)}`;
}

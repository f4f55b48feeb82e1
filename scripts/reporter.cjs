// Mocha's usual output, and a summary in a file for scripts/test.mjs.
const { writeFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    const failures = [];
    const files = new Map();
    // The time of a file runs from the end of the one before it, so that its hooks count.
    let lastMs = Date.now();
    runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
      if (!suite.parent?.root || suite.file === undefined) return;
      const nowMs = Date.now();
      files.set(suite.file, (files.get(suite.file) ?? 0) + nowMs - lastMs);
      lastMs = nowMs;
    });
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => skipped.push(test.fullTitle()));
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failures.push({ title: test.fullTitle(), reason: reasonOf(error) }),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      const summary = { passed: this.stats.passes, failures, skipped, files: [...files] };
      writeFileSync(options.reporterOptions.file, JSON.stringify(summary));
    });
  }
};

/** With what lies beneath it: a property that fails says there by which case. */
function reasonOf(error) {
  const reason = error?.stack ?? String(error);
  return error?.cause === undefined ? reason : `${reason}\nbecause of ${reasonOf(error.cause)}`;
}

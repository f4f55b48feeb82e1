// Mocha's usual output, and a summary for scripts/test.mjs.
const { readFileSync } = require('node:fs');
const { reporters, Runner } = require('mocha');

module.exports = class SummaryReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const skipped = [];
    const failures = [];
    const files = new Map();
    // The time of a file runs from the end of the one before it, so that its hooks count.
    let last = options.reporterOptions.begin;
    runner.on(Runner.constants.EVENT_SUITE_END, (suite) => {
      if (!suite.parent?.root || suite.file === undefined) return;
      const now = SummaryReporter.now();
      const before = files.get(suite.file) ?? { wallMs: 0, cpuMs: 0 };
      files.set(suite.file, {
        wallMs: before.wallMs + now.wallMs - last.wallMs,
        cpuMs: before.cpuMs + now.cpuMs - last.cpuMs,
      });
      last = now;
    });
    runner.on(Runner.constants.EVENT_TEST_PENDING, (test) => skipped.push(test.fullTitle()));
    runner.on(Runner.constants.EVENT_TEST_FAIL, (test, error) =>
      failures.push({ title: test.fullTitle(), reason: reasonOf(error) }),
    );
    runner.once(Runner.constants.EVENT_RUN_END, () => {
      options.reporterOptions.report({ passed: this.stats.passes, failures, skipped, files: [...files] });
    });
  }

  static now() {
    return { wallMs: Date.now(), cpuMs: cpuMs() };
  }
};

/** The stack of an error and of its causes. The cause of a failed property names the case. */
function reasonOf(error) {
  const reason = error?.stack ?? String(error);
  return error?.cause === undefined ? reason : `${reason}\nbecause of ${reasonOf(error.cause)}`;
}

/** CPU time of this process and of the processes that it started and that have ended. */
function cpuMs() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * 10, 0);
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

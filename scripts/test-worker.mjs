// Runs the test files that scripts/test.mjs sends, job after job: a process takes two seconds of processor time to load the
// product, whether it then runs one file or a hundred.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from 'chai';
import Mocha from 'mocha';
import { ROOT } from './bootstrap/root.mjs';
import SummaryReporter from './reporter.cjs';

// A failed comparison shows what it compared, not `[ Array(1) ]`: the log of a test run is often all that there is.
config.truncateThreshold = 2_000;

const settings = JSON.parse(readFileSync(join(ROOT, '.mocharc.json'), 'utf8'));

// By an exit of its own, so that the processes that its tests have started end too. A terminal sends Ctrl-C to all of them.
process.once('SIGTERM', () => process.exit(143));
process.once('SIGINT', () => process.exit(130));
process.once('disconnect', () => process.exit(1));
// What it rejects with ends the process.
process.on('message', (message) => void runFiles(message));

async function runFiles({ files, timeoutMs = settings.timeout, patience, endMark }) {
  const begin = SummaryReporter.now();
  let summary;
  const reporterOptions = { begin, report: (made) => (summary = made) };
  const mocha = new Mocha({
    timeout: timeoutMs * patience,
    slow: settings.slow,
    reporter: SummaryReporter,
    reporterOptions,
  });
  for (const file of files) mocha.addFile(join(ROOT, file));
  await mocha.loadFilesAsync();
  mocha.run(() => {
    // Ends its watch on errors that nobody catches: the next files have their own.
    mocha.dispose();
    process.stdout.write(`${endMark}\n`, () => process.send(summary));
  });
}

import { drawRounds, describeFault } from './draw/draw-faults.js';
import { violationsOf } from './judge/judge-run.js';
import { tableOf, writeReport } from './report/write-report.js';
import { runSoak } from './run/run-soak.js';
import { readSettings } from './settings.js';
import { SoakWorld } from './world/soak-world.js';

// npm run soak: random faults under load, judged by an independent observer. Exits with 0 where no rule is violated, 1 where
// one is, 2 where the run did not come to its end, 130 after an interruption.
const settings = readSettings(process.argv.slice(2));
const interruption = new AbortController();
const world = new SoakWorld();
const startMs = Date.now();
const print = (line: string) => console.log(`${((Date.now() - startMs) / 1000).toFixed(0).padStart(5)} s  ${line}`);
let signals = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interruption.abort();
    // What is still open is stopped by the handlers of `exit`.
    if (++signals === 3) process.exit(130);
    if (signals === 1)
      print(`${signal}: the fault in progress ends, then everything is stopped; twice more to stop at once`);
  });
}

print(
  `seed ${settings.seed}, ${settings.minutes} minutes, ${settings.monitors} monitors, a change every ${settings.paceMs} ms`,
);
let code = 2;
try {
  await world.start();
  const skipped = world.pair
    ? {}
    : { 'failovers and clean restarts of the database': 'PostgreSQL is not installed here, only embedded' };
  const rounds = drawRounds({
    ...settings,
    subjects: world.subjects,
    hasStandby: world.pair !== undefined,
    rounds: 12,
  });
  print(
    `the first faults:\n${rounds.flatMap(({ faults }) => faults.map((fault) => `         ${describeFault(fault)}`)).join('\n')}`,
  );
  const result = await runSoak({ world, settings, signal: interruption.signal, print });
  const isComplete = !interruption.signal.aborted;
  writeReport({ settings, result, skipped, isComplete });
  const violations = violationsOf(result.judgements);
  for (const { findings } of result.judgements) {
    for (const { rule, what, explanation } of findings.filter((one) => one.explanation === undefined).slice(0, 10))
      console.log(`VIOLATION ${rule}: ${what}${explanation ?? ''}`);
  }
  console.table(tableOf(result.judgements));
  console.log(
    `${violations === 0 ? 'No rule was violated' : `${violations} violations`}; the report is in ${settings.out}/soak.md (seed ${settings.seed}).`,
  );
  code = !isComplete ? 130 : violations > 0 ? 1 : 0;
} catch (error) {
  console.error(error);
} finally {
  await world.stop().catch((error: unknown) => console.error(error));
}
process.exit(code);

import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { BenchRow } from './bench-row.js';
import { readBenchCommand } from './bench-options.js';
import { BENCHES } from './benches.js';
import { isUnsettled, joinRuns } from './join-runs.js';
import { formatRow, formatRows } from './print-rows.js';
import { runHere, runInProcess } from './run-bench.js';

// npm run bench [-- name …] [--runs N] [--json FILE] [--list]: runs the benches whose names contain one of the words, or all
// benches, one after the other. The exact name of a bench selects this bench only.
const { words, options, passedOn, runs, json, list, inProcess } = readBenchCommand(process.argv.slice(2));
if (inProcess !== undefined)
  await runHere(
    BENCHES.find(({ name }) => name === inProcess)!,
    options,
  );

const selects = (word: string, name: string): boolean =>
  BENCHES.some((bench) => bench.name === word) ? name === word : name.includes(word);
const chosen = BENCHES.filter(({ name, isOnRequest }) =>
  words.length === 0 ? !isOnRequest : words.some((word) => selects(word, name)),
);
if (chosen.length === 0 || list) {
  console.log(`There are: ${BENCHES.map(({ name }) => name).join(', ')}.`);
  process.exit(list ? 0 : 2);
}

/** If other processes use more than this share of the cores, the figures are not reliable. */
const MUCH_LOAD = 0.3;
const cores = cpus().length;
const [load = 0] = loadavg();
const machine = `Node ${process.version}, ${cores} × ${cpus()[0]?.model.trim() ?? 'unknown'}, load ${load.toFixed(2)}, ${process.platform}`;
console.log(machine);
if (load > cores * MUCH_LOAD) {
  console.log('WARNING: the machine is busy with something else. Ratios may hold; do not quote the figures.');
}

/** How often a bench runs: more often while a figure with an aim differs by more than 15 % between its runs. */
const USUAL_RUNS = [2, 4] as const;

const rows: BenchRow[] = [];
const failures: string[] = [];
for (const bench of chosen) {
  const startedMs = performance.now();
  console.log(`${bench.name} …`);
  const done: BenchRow[][] = [];
  let failure: string | undefined;
  const [least, most] = runs === undefined ? (bench.isOnRequest ? [1, 1] : USUAL_RUNS) : [runs, runs];
  while (failure === undefined && (done.length < least || (done.length < most && isUnsettled(joinRuns(done))))) {
    const result = await runInProcess(fileURLToPath(import.meta.url), bench, options, passedOn, (measured) => {
      for (const row of measured) console.log(`  ${formatRow(row)}`);
    });
    failure = result.failure;
    // A run that was stopped counts with what it has measured.
    if (failure === undefined || done.length === 0) done.push(result.rows);
  }
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  if (failure !== undefined) failures.push(`${bench.name}: ${failure}`);
  rows.push(...joinRuns(done));
  console.log(`${bench.name}: ${failure === undefined ? 'done' : 'FAILED'} (${done.length} × in ${seconds} s)`);
  // After each bench: a run of an hour that is interrupted leaves what it has measured.
  if (json !== undefined)
    writeFileSync(
      json,
      `${JSON.stringify({ machine, at: new Date().toISOString(), loadAfter: loadavg()[0], rows, failures }, null, 2)}\n`,
    );
}

console.log(`\n${formatRows(rows)}\n`);
const missed = rows.filter(({ met }) => met === false).length;
console.log(`${rows.filter(({ met }) => met !== undefined).length} aims, ${missed} missed.`);
for (const failure of failures) console.log(`FAILED ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;

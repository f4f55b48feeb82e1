import { writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { BenchRow } from './bench-row.js';
import { BENCHES } from './benches.js';
import { formatRows } from './print-rows.js';
import { runHere, runInProcess } from './run-bench.js';

// npm run bench [-- name …] [--json FILE] [--list]: runs the benches whose names contain one of the words, or all
// benches, one after the other.
const { values: options, positionals: words } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' }, list: { type: 'boolean' }, 'in-process': { type: 'string' } },
});
const own = options['in-process'];
if (own !== undefined) await runHere(BENCHES.find(({ name }) => name === own)!);

const chosen = BENCHES.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));
if (chosen.length === 0 || options.list) {
  console.log(`There are: ${BENCHES.map(({ name }) => name).join(', ')}.`);
  process.exit(options.list ? 0 : 2);
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

const rows: BenchRow[] = [];
const failures: string[] = [];
for (const bench of chosen) {
  const startedMs = performance.now();
  process.stdout.write(`${bench.name} … `);
  const result = await runInProcess(fileURLToPath(import.meta.url), bench);
  const seconds = Math.round((performance.now() - startedMs) / 1_000);
  if (typeof result === 'string') failures.push(`${bench.name}: ${result}`);
  else rows.push(...result);
  console.log(`${typeof result === 'string' ? 'FAILED' : 'done'} (${seconds} s)`);
}

console.log(`\n${formatRows(rows)}\n`);
const missed = rows.filter(({ met }) => met === false).length;
console.log(`${rows.filter(({ met }) => met !== undefined).length} aims, ${missed} missed.`);
for (const failure of failures) console.log(`FAILED ${failure}`);
if (options.json !== undefined) {
  const loadAfter = loadavg()[0];
  writeFileSync(
    options.json,
    `${JSON.stringify({ machine, at: new Date().toISOString(), loadAfter, rows, failures }, null, 2)}\n`,
  );
}
process.exitCode = failures.length === 0 ? 0 : 1;

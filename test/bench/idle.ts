import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../support/eventually.js';
import { countLoggedStatements } from '../support/logged-statements.js';
import { startProduct } from '../support/product.js';
import { benchRow, type BenchRow } from './bench-row.js';
import type { Defer } from './bench.js';
import { databaseOf } from './load-monitors.js';
import { childrenCpuMs } from './process-usage.js';

/** What the start leaves behind: code that is compiled after some hundred runs, first plans, the first checkpoint. */
const SETTLE_MS = 240_000;
const WINDOW_MS = 60_000;
const MOST_STATEMENTS_SHOWN = 12;

/**
 * Measures what an installation costs that has nothing to do: the product with its embedded database and its home agent,
 * as `npm start` runs it, without monitors. CPU time and statements are taken in windows of their own, because logging
 * statements costs CPU too.
 */
export async function benchIdle(defer: Defer): Promise<BenchRow[]> {
  const product = await startProduct({ hasOwnDatabase: true, env: { START_HOME_AGENT: '1', LOG_LEVEL: 'warn' } });
  defer(() => product.stop());
  const client = await databaseOf(product, defer);
  await eventually(
    'the home agent is connected',
    async () => (await client.query('SELECT FROM agent_visibility')).rowCount! > 0 || undefined,
    60_000,
  );
  await sleep(SETTLE_MS);

  const before = childrenCpuMs(product.controlPlane.pid);
  const fromMs = performance.now();
  await sleep(WINDOW_MS);
  const after = childrenCpuMs(product.controlPlane.pid);
  const seconds = (performance.now() - fromMs) / 1_000;
  const used = new Map([...after].map(([name, ms]) => [name, (ms - (before.get(name) ?? 0)) / seconds]));

  const statements = await countLoggedStatements(client, product.dataDir, WINDOW_MS);
  const total = [...statements.values()].reduce((sum, count) => sum + count, 0);
  const most = [...statements].sort(([, a], [, b]) => b - a).slice(0, MOST_STATEMENTS_SHOWN);

  return [
    benchRow({
      name: 'idle installation: CPU per second',
      value: [...used.values()].reduce((sum, ms) => sum + ms, 0),
      unit: 'ms',
      aim: { text: '<= 10 ms', met: ({ value }) => value <= 10 },
    }),
    ...[...used].map(([name, value]) => benchRow({ name: `  of which ${name}`, value, unit: 'ms' })),
    benchRow({
      name: 'idle installation: statements per second',
      value: total / 60,
      unit: '/s',
      aim: { text: '<= 5 /s', met: ({ value }) => value <= 5 },
    }),
    ...most.map(([text, count]) => benchRow({ name: `  ${text}`, value: count / 60, unit: '/s' })),
  ];
}

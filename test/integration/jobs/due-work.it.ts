import { expect } from 'chai';
import pino from 'pino';
import { systemClock } from '@watchpost/shared/clock';
import { dueStore, isAnyDue } from '@watchpost/control-plane/platform/jobs/due-store';
import { startDueWork } from '@watchpost/control-plane/platform/jobs/due-work';
import { eventually } from '../../support/eventually.js';
import { countQueries } from '../../support/query-count.js';
import { databaseForSuite } from '../../support/suite.js';

const logger = pino({ level: 'silent' });

describe('Due work', () => {
  const test = databaseForSuite();

  const taskOf = (name: string, isDue: string, everyMs = 60_000) => {
    const task = { name, isDue, everyMs, woken: 0, wake: () => void task.woken++ };
    return task;
  };

  it('is looked for in one statement for all tasks, and only the tasks that have any are woken', async () => {
    const due = taskOf('due', `$1 > '2020-01-01'`);
    const other = taskOf('other', `$1 < '2020-01-01'`);
    const dueTasks = [due, other, ...Array.from({ length: 6 }, (_, index) => taskOf(`idle_${index}`, 'false'))];
    const statements = await countQueries(async () => {
      const work = startDueWork({ db: test.database, clock: systemClock, logger, dueTasks });
      await eventually('the due task is woken', () => due.woken > 0 || undefined);
      await work.stop();
    });
    expect({ due: due.woken, other: other.woken, statements }).to.deep.equal({ due: 1, other: 0, statements: 1 });
  });

  it('is looked for at once when the watch is woken, for tasks that are looked for rarely too', async () => {
    const rare = taskOf('rare', 'true', 3_600_000);
    const work = startDueWork({ db: test.database, clock: systemClock, logger, dueTasks: [rare] });
    await eventually('the first look', () => rare.woken === 1 || undefined);
    work.wake();
    await eventually('the look after the wake-up', () => rare.woken === 2 || undefined);
    await work.stop();
  });

  it('is looked for with one plan for all times, which reads a large table by its index', async () => {
    const { due, plans, way } = await test.database.read(async (tx) => {
      await tx.query('CREATE TABLE waiting (at timestamptz)');
      await tx.query(`INSERT INTO waiting SELECT now() + n * interval '1 s' FROM generate_series(1, 20000) n`);
      await tx.query('CREATE INDEX ON waiting (at)');
      await tx.query('ANALYZE waiting');
      const conditions = [isAnyDue('waiting', 'at'), isAnyDue('waiting', 'at', 'true', `$1 + interval '1 h'`)];
      let found: boolean[] = [];
      for (let look = 0; look < 10; look++) found = await dueStore.ask(tx, conditions, new Date(Date.now() - 60_000));
      const kept = await tx.one<{ generic: number; custom: number }>(
        `SELECT generic_plans::integer AS generic, custom_plans::integer AS custom FROM pg_prepared_statements
         WHERE statement LIKE '%FROM waiting%'`,
      );
      // The server goes on with a kept plan, where its cost is not above that of others, after five of them.
      await tx.query(`PREPARE look (timestamptz) AS SELECT ${conditions[0]}`);
      await tx.query('SET plan_cache_mode = force_generic_plan');
      const plan = await tx.column<string>('EXPLAIN EXECUTE look (now())');
      await tx.query('RESET plan_cache_mode');
      return { due: found, plans: kept, way: plan.join('\n') };
    });
    expect(due).to.deep.equal([false, true]);
    expect(plans).to.deep.equal({ generic: 5, custom: 5 });
    expect(way).to.contain('Index Only Scan').and.not.to.contain('Seq Scan');
  });

  it('of a periodic task runs while its condition holds, also after it failed', async () => {
    let runs = 0;
    await test.sql('CREATE TABLE due_item (at timestamptz); INSERT INTO due_item VALUES (now())');
    const periodic = {
      name: 'take_items',
      everyMs: 1_000,
      isDue: 'EXISTS (SELECT FROM due_item WHERE at <= $1)',
      async run() {
        if (++runs === 1) throw new Error('once');
        if (runs === 3) await test.sql('DELETE FROM due_item');
      },
    };
    const work = startDueWork({ db: test.database, clock: systemClock, logger, periodicTasks: [periodic] });
    const isOver = () => {
      work.wake();
      return runs >= 3 || undefined;
    };
    await eventually('the items are taken', isOver);
    await work.stop();
  });
});

import pino from 'pino';
import { Registry } from 'prom-client';
import { DatabaseHosts } from '@watchpost/control-plane/platform/db/database-hosts';
import { startJobRunner } from '@watchpost/control-plane/platform/jobs/job-runner';
import { createTestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

describe('a recurring job whose completion cannot be stored', () => {
  it('does not end the process: the runner starts again and runs what is due, also beside jobs that end well after it', async () => {
    const test = await createTestDatabase();
    const log: string[] = [];
    const logger = pino({}, { write: (line: string) => void log.push(line) });
    const hosts = new DatabaseHosts({ url: test.url, logger });
    let isBusy = false;
    let runs = 0;
    // A server that is too busy to accept a connection in time.
    const busyHosts = Object.create(hosts, {
      pool: {
        value: (options: Parameters<DatabaseHosts['pool']>[0]) => {
          const pool = hosts.pool(options);
          const connect = pool.connect.bind(pool);
          pool.connect = ((...args: unknown[]) => {
            // The library listens with a callback, and does all else without.
            if (isBusy && args.length === 0)
              return Promise.reject(new Error('Connection terminated due to connection timeout'));
            return (connect as (...args: unknown[]) => unknown)(...args);
          }) as typeof pool.connect;
          return pool;
        },
      },
    }) as DatabaseHosts;
    const run = (): Promise<void> => {
      isBusy = ++runs === 1;
      return Promise.resolve();
    };
    const ends = new Map<string, () => void>();
    const untilEnded = (name: string) => () => new Promise<void>((resolve) => ends.set(name, resolve));
    const others = ['ends_first', 'ends_second', 'ends_last'];
    const cron = '0 0 1 1 *';
    const jobs = [
      { name: 'lose_completion', cron, run },
      ...others.map((name) => ({ name, cron, run: untilEnded(name) })),
    ];
    const runner = startJobRunner({
      hosts: busyHosts,
      jobs,
      logger,
      registry: new Registry(),
      requireRightClock: () => Promise.resolve(),
    });
    const add = (name: string) => test.sql('SELECT jobs.add_job($1)', [name]);
    try {
      for (const name of others) await eventually('a job can be added', () => add(name).catch(() => undefined));
      await eventually('they run', () => ends.size === others.length || undefined);
      await add('lose_completion');
      await eventually(
        'its completion is lost',
        () => log.some((line) => line.includes('Failed to complete jobs')) || undefined,
      );
      isBusy = false;
      const count = async () => {
        const [row] = await test.sql<{ count: number }>('SELECT count(*)::integer FROM jobs.jobs');
        return row!.count;
      };
      for (const name of others) {
        const before = await count();
        ends.get(name)!();
        await eventually(`the end of ${name} is stored`, async () => (await count()) < before || undefined);
      }
      await add('lose_completion');
      await eventually('the next one ran', () => runs > 1 || undefined);
    } finally {
      isBusy = false;
      for (const end of ends.values()) end();
      await runner.stop();
      hosts.close();
      await test.drop();
    }
  });
});

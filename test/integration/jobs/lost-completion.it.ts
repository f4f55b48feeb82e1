import pino from 'pino';
import { Registry } from 'prom-client';
import { DatabaseHosts } from '@watchpost/control-plane/platform/db/database-hosts';
import { startJobRunner } from '@watchpost/control-plane/platform/jobs/job-runner';
import { createTestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';

describe('a recurring job whose completion cannot be stored', () => {
  it('does not end the process: the runner starts again and runs what is due', async () => {
    const test = await createTestDatabase();
    const logger = pino({ level: 'silent' });
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
    const jobs = [{ name: 'lose_completion', cron: '0 0 1 1 *', run }];
    const runner = startJobRunner({
      hosts: busyHosts,
      jobs,
      logger,
      registry: new Registry(),
      requireRightClock: () => Promise.resolve(),
    });
    const add = () => test.sql(`SELECT jobs.add_job('lose_completion')`);
    try {
      await eventually('the job can be added', () => add().catch(() => undefined));
      await eventually('it ran', () => runs > 0 || undefined);
      await new Promise((resolve) => setTimeout(resolve, 100));
      isBusy = false;
      await add();
      await eventually('the next one ran', () => runs > 1 || undefined);
    } finally {
      isBusy = false;
      await runner.stop();
      hosts.close();
      await test.drop();
    }
  });
});

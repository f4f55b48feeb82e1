import { mock } from 'node:test';
import { expect } from 'chai';
import pino from 'pino';
import { Registry } from 'prom-client';
import { HOUR_MS } from '@watchpost/shared/time';
import { showClockOffset } from '@watchpost/control-plane/platform/db/clock-offset';
import { DatabaseClock } from '@watchpost/control-plane/platform/db/database-clock';
import { startJobRunner } from '@watchpost/control-plane/platform/jobs/job-runner';
import { createHealth } from '@watchpost/control-plane/platform/telemetry/health';
import { eventually } from '../../support/eventually.js';
import { databaseForSuite } from '../../support/suite.js';

describe('A process whose clock differs from that of the database', () => {
  const registry = new Registry();
  const test = databaseForSuite();

  before(async () => {
    showClockOffset(registry, test.database);
  });
  afterEach(() => mock.timers.reset());

  const setOff = (ms: number) => mock.timers.enable({ apis: ['Date'], now: Date.now() + ms });
  const health = async () => {
    const report = await createHealth({
      db: test.database,
      redisHealthy: null,
      agents: null,
      regionTroubles: () => Promise.resolve([]),
    }).check();
    return { status: report.status, database: report.checks['database'] };
  };
  const offsetS = async () => Number(/^watchpost_clock_offset_seconds (.+)$/m.exec(await registry.metrics())![1]);

  it('is degraded, and names the difference', async () => {
    expect(await health()).to.deep.equal({ status: 'ok', database: { status: 'ok' } });
    expect(await offsetS()).to.equal(0);
    setOff(-HOUR_MS);
    const { status, database } = await health();
    expect(status).to.equal('degraded');
    expect(database!.message).to.match(/is 36[01]\d s behind the database's: .* NTP\.$/);
    expect(await offsetS()).to.be.within(-3_620, -3_600);
  });

  it('runs no recurring job, and runs them when its clock is right', async () => {
    let runs = 0;
    const jobs = [{ name: 'delete_old', cron: '0 0 1 1 *', run: () => Promise.resolve(void runs++) }];
    const lines: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
    const clock = new DatabaseClock(test.database, logger);
    const runner = startJobRunner({
      hosts: test.database.hosts,
      jobs,
      logger,
      registry,
      requireRightClock: () => clock.requireRightMachine(),
    });
    const add = () => test.sql(`SELECT jobs.add_job('delete_old')`);
    const hasFailed = async () =>
      /^watchpost_job_runs_total{job="delete_old",result="failed"} [1-9]/m.test(await registry.metrics()) || undefined;
    const isLogged = (text: string) => () => lines.some((line) => line.includes(text)) || undefined;
    const refusedStarts = () => lines.filter((line) => line.includes('Until then no job runs here.","stack')).length;
    try {
      await eventually('the jobs have tables', () => add().then(() => true));
      await eventually('it ran', () => runs === 1 || undefined);
      setOff(HOUR_MS);
      await add();
      await eventually('it was refused', hasFailed);
      await eventually('the timetable has ended', isLogged('the clock was set ahead'));
      await add();
      const before = refusedStarts();
      await eventually('its start is refused', () => refusedStarts() > before || undefined);
      expect(runs).to.equal(1);
      mock.timers.reset();
      // The refused run too, and the one that was added meanwhile.
      // The pause until the next start and the library's next look for what failed may take 45 s.
      await eventually('both have run', () => runs === 3 || undefined, 90_000);
    } finally {
      await runner.stop();
    }
  }).timeout(240_000);
});

import { expect } from 'chai';
import { Registry } from 'prom-client';
import { PageBuilds } from '@watchpost/control-plane/capabilities/status-pages/index';
import { databaseForSuite } from '../../support/suite.js';

/** Holds the event loop as a computation does. */
function compute(ms: number): void {
  const untilMs = performance.now() + ms;
  while (performance.now() < untilMs);
}

describe('Builds of public pages', () => {
  const test = databaseForSuite();
  let registry: Registry;
  let builds: PageBuilds;

  beforeEach(() => {
    registry = new Registry();
    builds = new PageBuilds(test.database, registry);
  });

  it('take turns by owner: a small page waits for one step of each other, not for their pages', async () => {
    const order: string[] = [];
    const large = (owner: string) =>
      builds.run(owner, async (work) => {
        for (let step = 0; step < 20; step++) {
          await work.slice(() => compute(5));
          await work.query((tx) => tx.query('SELECT'));
        }
        order.push(owner);
      });
    const hostile = Array.from({ length: 10 }, (_, page) => large(page % 2 === 0 ? 'first' : 'second'));
    await builds.run('victim', async (work) => {
      for (let step = 0; step < 3; step++) {
        await work.query((tx) => tx.query('SELECT'));
        await work.slice(() => compute(0.1));
      }
      order.push('victim');
    });
    expect(order).to.deep.equal(['victim']);
    await Promise.all(hostile);
    expect(order).to.have.length(11);
  });

  it('run one at a time of an owner, in the order in which they were asked for, and after one that failed', async () => {
    const events: string[] = [];
    const page = (name: string, fails = false) =>
      builds.run('owner', async (work) => {
        events.push(`${name} begins`);
        await work.query((tx) => tx.query('SELECT'));
        await work.slice(() => compute(1));
        if (fails) throw new Error('broken');
        events.push(`${name} ends`);
      });
    const results = await Promise.allSettled([page('a'), page('b', true), page('c')]);
    expect(results.map(({ status }) => status)).to.deep.equal(['fulfilled', 'rejected', 'fulfilled']);
    expect(events).to.deep.equal(['a begins', 'a ends', 'b begins', 'c begins', 'c ends']);
  });

  it('are refused with 503 where too many of an owner wait, which operators can see', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const waiting = Array.from({ length: 100 }, () => builds.run('owner', () => held));
    const refused = await builds.run('owner', () => held).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'unavailable', retryAfterSeconds: 5 });
    const metrics = await registry.metrics();
    expect(metrics).to.match(/watchpost_status_page_builds_waiting 100\n/);
    expect(metrics).to.match(/watchpost_status_page_builds_refused_total 1\n/);
    expect(await builds.run('victim', () => Promise.resolve('built'))).to.equal('built');
    release();
    await Promise.all(waiting);
  });
});

import { httpCheck } from '@watchpost/shared/checks/http';
import { ManualClock } from '@watchpost/shared/clock';
import { alwaysMs, checkCode, freshMs, type CheckSpec } from '@watchpost/shared/check';
import { expect } from 'chai';
import fc from 'fast-check';
import { CATCH_UP_MS, scheduledTimesBetween } from './decide-scheduled-time.js';
import { Scheduler } from './scheduler.js';
import type { SchedulerOptions } from './scheduler-options.js';

const START = 1_763_000_000_000;

/** Manual time: timers fire in order. */
class World {
  readonly clock = new ManualClock(START);
  private timers: { at: number; callback: () => void }[] = [];
  readonly wakeup = {
    after: (delayMs: number, callback: () => void) => {
      const timer = { at: this.clock.now() + Math.max(1, delayMs), callback };
      this.timers.push(timer);
      return () => void (this.timers = this.timers.filter((other) => other !== timer));
    },
    soon: (callback: () => void) => void this.timers.push({ at: this.clock.now(), callback }),
  };

  async advance(ms: number): Promise<void> {
    const until = this.clock.now() + ms;
    for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    for (;;) {
      const next = this.timers.reduce<{ at: number; callback: () => void } | undefined>(
        (first, timer) => (!first || timer.at < first.at ? timer : first),
        undefined,
      );
      if (!next || next.at > until) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.clock.set(Math.max(this.clock.now(), next.at));
      next.callback();
      for (let turn = 0; turn < 4; turn++) await Promise.resolve();
    }
    this.clock.set(until);
  }

  /** Sets the clock back; timers are not affected. */
  setBack(ms: number): void {
    this.clock.advance(-ms);
    for (const timer of this.timers) timer.at -= ms;
  }

  /** Drops all timers, as a crash does. */
  forget(): void {
    this.timers = [];
  }
}

const TARGET = httpCheck.target.parse({ url: 'http://example.test/' });

function spec(monitorKey: number, more: Partial<CheckSpec> = {}): CheckSpec {
  return {
    key: { monitorKey, kind: 'http' },
    intervalMs: 60_000,
    timeoutMs: 10_000,
    phaseMs: (monitorKey * 7_919) % 60_000,
    changedAtMs: START - 1_000_000,
    target: TARGET,
    ...more,
  };
}

interface Run {
  id: number;
  scheduledAtMs: number;
  at: number;
  late: boolean;
}

function agent(world = new World(), runs: Run[] = [], more: Partial<SchedulerOptions> = {}) {
  const skipped = { times: 0 };
  const scheduler = new Scheduler({
    clock: world.clock,
    wakeup: world.wakeup,
    maxRunning: 100,
    onStart: () => {},
    onSkipped: (times) => void (skipped.times += times),
    run: (of, scheduledAtMs) => {
      runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: false });
      return Promise.resolve();
    },
    tooLate: (of, scheduledAtMs) =>
      void runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: true }),
    ...more,
  });
  return { world, runs, scheduler, skipped };
}

const isCompletedIn = (runs: readonly Run[]) => {
  const done = new Set(runs.map((run) => `${run.id}/${run.scheduledAtMs}`));
  return (id: number, scheduledAtMs: number) => done.has(`${id}/${scheduledAtMs}`);
};

/** An agent whose checks run until `finish`, which ends the one that started last. */
function slowAgent() {
  const world = new World();
  const runs: Run[] = [];
  let finish: () => void = () => {};
  const { scheduler } = agent(world, runs, {
    run: (of, scheduledAtMs) => {
      runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: false });
      return new Promise((resolve) => (finish = resolve));
    },
  });
  return { world, runs, scheduler, finish: () => finish() };
}

describe('the scheduler', () => {
  it('runs every check at each of its scheduled times, or with the next tenth of a second', async () => {
    const { world, runs, scheduler } = agent();
    const specs = Array.from({ length: 50 }, (_, index) => spec(index + 1));
    for (const one of specs) scheduler.upsert(one);
    scheduler.start();
    await world.advance(300_000);
    for (const one of specs) {
      const own = runs.filter((run) => run.id === checkCode(one.key));
      expect(own.map((run) => run.scheduledAtMs)).to.deep.equal(scheduledTimesBetween(one, START + 1, START + 300_001));
    }
    const lags = runs.map(({ at, scheduledAtMs }) => at - scheduledAtMs);
    expect(Math.min(...lags)).to.be.at.least(0);
    expect(Math.max(...lags)).to.be.below(110);
    const starts = runs.map(({ at }) => at);
    expect(starts.filter((at) => at % 100 === 0).length, 'begin with a tenth of a second').to.be.above(200);
    expect(starts.slice(1).every((at, index) => at > starts[index]!)).to.equal(true);
  });

  it('begins the next check of a tenth of a second after 1 ms, or when the one before has ended', async () => {
    const startsOf = async (end: (world: World, resolve: () => void) => void) => {
      const world = new World();
      const starts: number[] = [];
      let running = 0;
      let most = 0;
      const { scheduler } = agent(world, [], {
        run: async () => {
          starts.push(world.clock.now() % 100);
          most = Math.max(most, ++running);
          await new Promise<void>((resolve) => end(world, resolve));
          running--;
        },
      });
      for (let phaseMs = 1; phaseMs <= 5; phaseMs++) scheduler.upsert(spec(phaseMs, { phaseMs }));
      scheduler.start();
      await world.advance(60_000);
      return { starts, most };
    };
    expect(await startsOf((world, resolve) => world.wakeup.after(400, resolve))).to.deep.equal({
      starts: [0, 1, 2, 3, 4],
      most: 5,
    });
    expect(await startsOf((world, resolve) => world.wakeup.soon(resolve))).to.deep.equal({
      starts: [0, 0, 0, 0, 0],
      most: 1,
    });
  });

  it('starts checks closer to their times where it has many, and again in tenths of a second where most are gone', async () => {
    const { world, runs, scheduler } = agent();
    const specs = Array.from({ length: 40_000 }, (_, index) => spec(index + 1, { phaseMs: (index * 7_919) % 60_000 }));
    for (const one of specs) scheduler.upsert(one);
    scheduler.start();
    await world.advance(61_000);
    runs.length = 0;
    await world.advance(20_000);
    const most = () => Math.max(...runs.map(({ at, scheduledAtMs }) => at - scheduledAtMs));
    expect(runs).to.have.length.above(10_000);
    expect(most()).to.be.below(20);
    for (const one of specs.slice(60)) scheduler.remove(one.key);
    await world.advance(1_000);
    runs.length = 0;
    await world.advance(70_000);
    expect(new Set(runs.map(({ id }) => id)).size).to.equal(60);
    expect(most()).to.be.within(80, 110);
  });

  it('runs the check of a new or changed monitor at once', async () => {
    const { world, runs, scheduler } = agent();
    scheduler.upsert(spec(1, { changedAtMs: START - 300 }));
    scheduler.start();
    await world.advance(10);
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal([START - 300]);
    await world.advance(20_000);
    scheduler.upsert(spec(1, { changedAtMs: START + 20_000 }));
    await world.advance(10);
    expect(runs.at(-1)!.scheduledAtMs).to.equal(START + 20_000);
    scheduler.upsert(spec(1, { changedAtMs: START + 20_000 }));
    await world.advance(1_000);
    expect(runs.filter((run) => run.scheduledAtMs === START + 20_000)).to.have.length(1);
  });

  it('catches up on handed-over checks at once, spaced, and runs no scheduled time twice', async () => {
    const { world, runs, scheduler } = agent();
    scheduler.start();
    const specs = Array.from({ length: 400 }, (_, index) => spec(index + 1, { phaseMs: (index * 149) % 60_000 }));
    const done = (of: CheckSpec) => scheduledTimesBetween(of, START - 60_000, START - 10_000).at(-1) ?? 0;
    for (const one of specs) scheduler.upsert(one, done(one));
    await world.advance(60_000);
    for (const one of specs) {
      const own = runs.filter((run) => run.id === checkCode(one.key)).map((run) => run.scheduledAtMs);
      const from = Math.max(done(one) + 1, START - CATCH_UP_MS - 1);
      expect(own).to.deep.equal(scheduledTimesBetween(one, from, START + 60_001));
    }
    const handovers = runs.filter((run) => run.scheduledAtMs <= START);
    expect(handovers.length).to.be.greaterThan(50);
    expect(Math.max(...handovers.map((run) => run.at - START))).to.be.within(100, 1_000);
  });

  // Each life lasts at least a second: an agent killed before it has caught up would be away for more than 15 s in total.
  it('skips and repeats no scheduled time over restarts of at most 15 s', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            up: fc.integer({ min: 1_000, max: 90_000 }),
            down: fc.integer({ min: 0, max: CATCH_UP_MS - 1_000 }),
          }),
          { minLength: 1, maxLength: 6 },
        ),
        fc.array(
          fc.record({
            interval: fc.constantFrom(10_000, 30_000, 60_000),
            phase: fc.nat(9_999),
            changed: fc.integer({ min: -100_000, max: 0 }),
          }),
          { minLength: 1, maxLength: 10 },
        ),
        async (lives, shapes) => {
          const world = new World();
          const runs: Run[] = [];
          const specs = shapes.map((shape, index) =>
            spec(index + 1, { intervalMs: shape.interval, phaseMs: shape.phase, changedAtMs: START + shape.changed }),
          );
          const first = agent(world, runs).scheduler;
          first.replaceAll(specs);
          first.start();
          for (const [index, life] of lives.entries()) {
            await world.advance(life.up);
            if (index === lives.length - 1) break;
            world.forget();
            world.clock.advance(life.down);
            const next = agent(world, runs).scheduler;
            next.restore(
              specs.map((one) => ({ spec: one, assignedAtMs: START })),
              isCompletedIn(runs),
            );
            next.start();
          }
          await world.advance(5_000);
          const end = world.clock.now();
          await world.advance(200); // until the last group has begun
          for (const one of specs) {
            const own = runs.filter((run) => run.id === checkCode(one.key)).map((run) => run.scheduledAtMs);
            const regular = own.filter((time) => time !== one.changedAtMs && time < end);
            expect(own.length).to.equal(new Set(own).size);
            expect(regular).to.deep.equal(
              scheduledTimesBetween(one, START + 1, end).filter((time) => time !== one.changedAtMs),
            );
          }
          expect(runs.some((run) => run.late)).to.equal(false);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('skips scheduled times older than 15 s after a long absence and spaces the others', async () => {
    const { world, runs, scheduler, skipped } = agent();
    const specs = Array.from({ length: 600 }, (_, index) => spec(index + 1));
    scheduler.replaceAll(specs);
    scheduler.start();
    await world.advance(61_000);
    runs.length = 0;
    world.clock.advance(3_600_000); // suspended, with its timers
    await world.advance(4_000);
    expect(Math.min(...runs.map((run) => run.scheduledAtMs))).to.be.at.least(START + 3_661_000 - CATCH_UP_MS);
    expect(skipped.times).to.be.greaterThan(600 * 50);
    const perTenth = new Map<number, number>();
    for (const run of runs) perTenth.set(Math.floor(run.at / 100), (perTenth.get(Math.floor(run.at / 100)) ?? 0) + 1);
    expect(Math.max(...perTenth.values())).to.be.at.most(45);
  });

  it('continues at once when the clock is set back by an hour', async () => {
    const { world, runs, scheduler } = agent();
    scheduler.upsert(spec(1, { changedAtMs: START - 100_000_000 }));
    scheduler.start();
    await world.advance(120_000);
    world.setBack(3_600_000);
    runs.length = 0;
    await world.advance(61_000);
    expect(runs).to.have.length.within(1, 2);
  });

  it('never runs a check twice at the same time, and skips without a word the times that fell due while it ran', async () => {
    const { world, runs, scheduler, finish } = slowAgent();
    scheduler.upsert(spec(1, { intervalMs: 10_000, phaseMs: 0 }));
    scheduler.start();
    await world.advance(36_000);
    expect(runs).to.have.length(1);
    finish();
    await world.advance(20_000);
    const since = runs.map((run) => run.scheduledAtMs - runs[0]!.scheduledAtMs);
    expect(since.slice(0, 2)).to.deep.equal([0, 30_000]);
    expect(runs.some(({ late }) => late)).to.equal(false);
  });

  it('keeps the rate of a check that takes just as long as its interval', async () => {
    const { world, runs, scheduler, finish } = slowAgent();
    scheduler.upsert(spec(1, { intervalMs: 10_000, phaseMs: START % 10_000 }));
    scheduler.start();
    await world.advance(10_001);
    for (let round = 0; round < 4; round++) {
      await world.advance(10_003);
      finish();
      await world.advance(1);
    }
    expect(runs.map((run) => run.scheduledAtMs - START)).to.deep.equal([10_000, 20_000, 30_000, 40_000, 50_000]);
  });

  it('has the result of a check whose steps take all of their time while the one before is still fresh', async () => {
    for (const addresses of ['first', 'each']) {
      const steps = [{ name: 'log out', url: 'http://example.test/', always: true }];
      const target = httpCheck.target.parse({ url: 'http://example.test/', addresses, steps });
      const slow = spec(1, { timeoutMs: 60_000, phaseMs: START % 60_000, target });
      const tookMs = slow.timeoutMs + alwaysMs(target);
      const world = new World();
      const runs: Run[] = [];
      const { scheduler } = agent(world, runs, {
        run: (of, scheduledAtMs) => {
          runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: false });
          return new Promise((resolve) => world.wakeup.after(tookMs, () => resolve()));
        },
      });
      scheduler.upsert(slow);
      scheduler.start();
      await world.advance(900_000);
      expect(runs.length).to.be.at.least(6);
      const spareMs = runs.slice(1).map(({ at }, index) => runs[index]!.scheduledAtMs + freshMs(slow) - (at + tookMs));
      expect(Math.min(...spareMs), `addresses: ${addresses}`).to.be.at.least(10_000);
    }
  });

  it('keeps the first result of a new monitor, however slow, and skips the regular time that fell due meanwhile', async () => {
    for (const tookMs of [12_000, 20_000, 45_000]) {
      const { world, runs, scheduler, finish } = slowAgent();
      const one = spec(1, { changedAtMs: START, phaseMs: (START + 11_000) % 60_000 });
      scheduler.start();
      scheduler.upsert(one);
      await world.advance(tookMs);
      finish();
      await world.advance(71_500 - tookMs);
      expect(runs.map((run) => run.scheduledAtMs - START)).to.deep.equal([0, 71_000]);
      expect(runs.some(({ late }) => late)).to.equal(false);
    }
  });

  it('does not run a skipped time after a late handover or a restart of the stream', async () => {
    const { world, runs, scheduler, finish } = slowAgent();
    const one = spec(1, { changedAtMs: START, phaseMs: (START + 11_000) % 60_000 });
    scheduler.start();
    scheduler.upsert(one);
    await world.advance(20_000);
    finish();
    await world.advance(10);
    scheduler.upsert(one, START);
    scheduler.replaceAll([one], new Map([[checkCode(one.key), START]]));
    await world.advance(5_000);
    expect(runs.map((run) => run.scheduledAtMs - START)).to.deep.equal([0]);
  });

  it('runs the check of a change that came during a slow run as soon as that ends, and skips no time after it', async () => {
    const { world, runs, scheduler, finish } = slowAgent();
    scheduler.start();
    scheduler.upsert(spec(1, { changedAtMs: START, phaseMs: (START + 30_000) % 60_000 }));
    await world.advance(8_000);
    scheduler.upsert(spec(1, { changedAtMs: START + 8_000, phaseMs: (START + 30_000) % 60_000 }));
    await world.advance(17_000);
    finish();
    await world.advance(1);
    finish();
    await world.advance(6_000);
    expect(runs.map((run) => run.scheduledAtMs - START)).to.deep.equal([0, 8_000, 30_000]);
    expect(runs.some(({ late }) => late)).to.equal(false);
  });

  it('runs of the times that passed while a check ran through a long suspension only one that is recent', async () => {
    const { world, runs, scheduler, finish } = slowAgent();
    scheduler.upsert(spec(1, { phaseMs: (START + 1_000) % 60_000 }));
    scheduler.start();
    await world.advance(2_000);
    world.clock.advance(3_600_000);
    await world.advance(5_000);
    finish();
    await world.advance(1);
    await world.advance(54_500);
    expect(runs.map((run) => run.scheduledAtMs - START)).to.deep.equal([1_000, 3_601_000]);
  });

  it('queues checks when too many run, and loses none', async () => {
    const world = new World();
    const runs: Run[] = [];
    const finishes: (() => void)[] = [];
    const { scheduler } = agent(world, runs, {
      maxRunning: 4,
      run: (of, scheduledAtMs) => {
        runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: false });
        return new Promise((resolve) => void finishes.push(resolve));
      },
    });
    for (let key = 1; key <= 5; key++) scheduler.upsert(spec(key, { phaseMs: 1_000 }));
    scheduler.start();
    await world.advance(50_000);
    expect([scheduler.running, scheduler.waiting]).to.deep.equal([2, 3]);
    for (let round = 0; round < 5; round++) {
      finishes.shift()?.();
      await world.advance(5);
    }
    expect(runs.length).to.equal(5);
  });

  it('starts the checks of one owner in time while those of other owners never end, and reports only those as late', async () => {
    const world = new World();
    const runs: Run[] = [];
    const late: string[] = [];
    const { scheduler } = agent(world, runs, {
      maxRunning: 60,
      run: (of, scheduledAtMs) => {
        runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: false });
        return of.ownerKey === 'victim' ? Promise.resolve() : new Promise(() => {});
      },
      tooLate: (of, _scheduledAtMs, _lagMs, cause) => void late.push(`${of.ownerKey} ${cause}`),
    });
    const victims = Array.from({ length: 20 }, (_, index) => spec(index + 1, { ownerKey: 'victim', siteKey: 'shop' }));
    for (let key = 100; key < 400; key++)
      scheduler.upsert(spec(key, { ownerKey: `hostile ${key % 3}`, siteKey: `silent ${key}` }));
    for (const one of victims) scheduler.upsert(one);
    scheduler.start();
    await world.advance(300_000);
    for (const one of victims) {
      const own = runs.filter((run) => run.id === checkCode(one.key));
      expect(own.map((run) => run.scheduledAtMs)).to.deep.equal(scheduledTimesBetween(one, START + 1, START + 300_001));
      expect(Math.max(...own.map((run) => run.at - run.scheduledAtMs))).to.be.at.most(100);
    }
    expect(scheduler.running).to.equal(45);
    expect(new Set(late)).to.deep.equal(new Set(['hostile 0 ownShare', 'hostile 1 ownShare', 'hostile 2 ownShare']));
  });

  it('runs the other sites of an owner while one site never answers', async () => {
    const world = new World();
    const runs: Run[] = [];
    const { scheduler } = agent(world, runs, {
      maxRunning: 60,
      run: (of, scheduledAtMs) => {
        runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: false });
        return of.siteKey === 'silent' ? new Promise(() => {}) : Promise.resolve();
      },
    });
    for (let key = 100; key < 400; key++) scheduler.upsert(spec(key, { ownerKey: 'one', siteKey: 'silent' }));
    const others = Array.from({ length: 20 }, (_, index) => spec(index + 1, { ownerKey: 'one', siteKey: 'shop' }));
    for (const one of others) scheduler.upsert(one);
    scheduler.start();
    await world.advance(120_000);
    expect(scheduler.running).to.equal(20);
    for (const one of others)
      expect(runs.filter((run) => run.id === checkCode(one.key)).map((run) => run.scheduledAtMs)).to.deep.equal(
        scheduledTimesBetween(one, START + 1, START + 120_001),
      );
  });

  it('stops a removed check and keeps the schedule of a check that is sent again', async () => {
    const { world, runs, scheduler } = agent();
    scheduler.replaceAll([spec(1), spec(2)]);
    scheduler.start();
    await world.advance(1_000);
    scheduler.replaceAll([spec(2)]);
    await world.advance(120_000);
    expect(new Set(runs.map((run) => run.id))).to.deep.equal(new Set([checkCode(spec(2).key)]));
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal(
      scheduledTimesBetween(spec(2), START + 1, world.clock.now() + 1),
    );
  });

  it('runs the missed times of a late handover, also of a check that it has already', async () => {
    const { world, runs, scheduler } = agent();
    const one = spec(1, { phaseMs: (START + 4_000) % 60_000 });
    scheduler.start();
    await world.advance(6_000);
    scheduler.upsert(one);
    await world.advance(8_000);
    expect(runs).to.have.length(0);
    scheduler.upsert(one, START - 56_000);
    await world.advance(100);
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal([START + 4_000]);
    scheduler.upsert(one, START - 56_000);
    await world.advance(60_000);
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal([START + 4_000, START + 64_000]);
  });

  it('runs a scheduled time that fell due before the check was removed, once, and none after it', async () => {
    const world = new World();
    const runs: Run[] = [];
    const finishes: (() => void)[] = [];
    const { scheduler } = agent(world, runs, {
      maxRunning: 1,
      run: (of, scheduledAtMs) => {
        runs.push({ id: checkCode(of.key), scheduledAtMs, at: world.clock.now(), late: false });
        return new Promise((resolve) => void finishes.push(resolve));
      },
    });
    const phaseMs = (START + 1_000) % 60_000;
    scheduler.replaceAll([spec(1, { phaseMs }), spec(2, { phaseMs })]);
    scheduler.start();
    await world.advance(2_000);
    expect([scheduler.running, scheduler.waiting]).to.deep.equal([1, 1]);
    for (const key of [1, 2]) scheduler.remove(spec(key).key);
    expect(scheduler.size).to.equal(0);
    for (let round = 0; round < 3; round++) {
      finishes.shift()?.();
      await world.advance(100_000);
    }
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal([START + 1_000, START + 1_000]);
    expect(new Set(runs.map((run) => run.id)).size).to.equal(2);
  });

  it('catches up only on times that no other agent has run, if the control plane knows', async () => {
    const world = new World();
    const runs: Run[] = [];
    const before = agent(world, []).scheduler;
    const specs = [1, 2, 3].map((key) => spec(key, { phaseMs: (START + 50_000) % 60_000 }));
    before.replaceAll(specs);
    world.clock.advance(60_000);
    const { scheduler } = agent(world, runs);
    scheduler.restore(
      specs.map((one) => ({ spec: one, assignedAtMs: START })),
      () => false,
    );
    // The first belonged to another agent until now, the second was run by another agent, the third by none.
    const handovers = new Map([
      [checkCode(specs[1]!.key), START + 50_000],
      [checkCode(specs[2]!.key), START - 10_000],
    ]);
    scheduler.replaceAll(specs, handovers);
    scheduler.start();
    await world.advance(1_000);
    expect(runs.map(({ id, scheduledAtMs }) => [id, scheduledAtMs])).to.deep.equal([
      [checkCode(specs[2]!.key), START + 50_000],
    ]);
    await world.advance(50_000);
    expect(runs.filter(({ scheduledAtMs }) => scheduledAtMs === START + 110_000)).to.have.length(3);
    expect(runs).to.have.length(4);
  });

  it('begins no run again whose steps change something: after a restart or a handover it waits for the next time', async () => {
    const target = (method: string) => {
      const steps = [{ name: 'order', url: 'http://example.test/order', method }];
      return httpCheck.target.parse({ url: 'http://example.test/', steps });
    };
    const phaseMs = (START + 50_000) % 60_000;
    const ordering = spec(1, { phaseMs, target: target('POST') });
    const reading = spec(2, { phaseMs, target: target('GET') });
    const changed = spec(3, { phaseMs, target: target('POST'), changedAtMs: START + 45_000 });
    const specs = [ordering, reading, changed];
    const restarts: [string, (scheduler: Scheduler) => void, number][] = [
      [
        'restart',
        (one) =>
          one.restore(
            specs.map((each) => ({ spec: each, assignedAtMs: START })),
            () => false,
          ),
        1,
      ],
      [
        'handover',
        (one) => one.replaceAll(specs, new Map(specs.map(({ key }) => [checkCode(key), START - 10_000]))),
        1,
      ],
      ['new', (one) => one.replaceAll([changed]), 1],
    ];
    for (const [what, begin, atOnce] of restarts) {
      const { world, runs, scheduler } = agent();
      world.clock.advance(52_000);
      begin(scheduler);
      scheduler.start();
      await world.advance(1_000);
      expect(runs, `${what}: only what can begin again, and what is new`).to.have.length(atOnce);
      await world.advance(60_000);
      const next = runs.filter(({ scheduledAtMs }) => scheduledAtMs === START + 110_000);
      expect(next, `${what}: all run the next time`).to.have.length(what === 'new' ? 1 : 3);
    }
  });

  it('runs a check that falls due at the moment of a snapshot, whatever becomes of it', async () => {
    const { world, runs, scheduler } = agent();
    const specs = [1, 2, 3].map((key) => spec(key, { phaseMs: (START + 1_500) % 60_000 }));
    const [handedOver, kept, removed] = specs.map(({ key }) => checkCode(key));
    scheduler.replaceAll(specs);
    scheduler.start();
    await world.advance(1_200);
    world.clock.advance(400); // a busy event loop: the timer of these checks has not fired yet
    scheduler.replaceAll(specs.slice(0, 2), new Map([[handedOver!, START - 58_500]]));
    await world.advance(100_000);
    const timesOf = (code: number | undefined) => runs.filter(({ id }) => id === code).map((run) => run.scheduledAtMs);
    expect(timesOf(handedOver)).to.deep.equal([START + 1_500, START + 61_500]);
    expect(timesOf(kept)).to.deep.equal([START + 1_500, START + 61_500]);
    expect(timesOf(removed)).to.deep.equal([START + 1_500]);
  });

  it('starts no check after a standstill until ownership is confirmed, and then skips none', async () => {
    const world = new World();
    const runs: Run[] = [];
    let confirm: () => void = () => {};
    let asked = 0;
    const { scheduler } = agent(world, runs, {
      afterStandstill: () => {
        asked++;
        return new Promise((resolve) => (confirm = resolve));
      },
    });
    const specs = [4_000, 9_000, 30_000].map((due, index) => spec(index + 1, { phaseMs: (START + due) % 60_000 }));
    scheduler.replaceAll(specs);
    scheduler.start();
    await world.advance(1_000);
    world.clock.advance(9_000); // stopped
    await world.advance(3_000);
    expect([asked, runs.length]).to.deep.equal([1, 0]);
    confirm();
    await world.advance(100);
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal([START + 4_000, START + 9_000]);
    await world.advance(60_000);
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal(
      [4_000, 9_000, 30_000, 64_000, 69_000].map((due) => START + due),
    );
    expect(asked).to.equal(1);
  });

  it('does not run times that another agent ran during its standstill', async () => {
    const world = new World();
    const runs: Run[] = [];
    let confirm: () => void = () => {};
    const { scheduler } = agent(world, runs, { afterStandstill: () => new Promise((resolve) => (confirm = resolve)) });
    const specs = [4_000, 9_000, 30_000].map((due, index) => spec(index + 1, { phaseMs: (START + due) % 60_000 }));
    scheduler.replaceAll(specs);
    scheduler.start();
    await world.advance(1_000);
    world.clock.advance(22_000); // stopped
    await world.advance(1_000);
    scheduler.replaceAll(specs, new Map());
    confirm();
    await world.advance(60_000);
    expect(runs.map((run) => run.scheduledAtMs)).to.deep.equal([30_000, 64_000, 69_000].map((due) => START + due));
  });
});

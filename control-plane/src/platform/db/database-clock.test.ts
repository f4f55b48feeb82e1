import { HOUR_MS } from '@watchpost/shared/time';
import { mock } from 'node:test';
import { expect } from 'chai';
import pino from 'pino';
import type { Database } from './database.js';
import { DatabaseClock } from './database-clock.js';

const NOON = Date.UTC(2026, 10, 21, 12);

describe('the clock of a process', () => {
  /** How often the database was asked. */
  let asked = 0;
  let databaseMs = NOON;
  const db = {
    read: (run: (tx: unknown) => Promise<unknown>) => {
      asked++;
      return run({ query: () => Promise.resolve([{ atMs: databaseMs }]) });
    },
  } as unknown as Database;
  const open = () => new DatabaseClock(db, pino({ level: 'silent' }));

  beforeEach(() => {
    asked = 0;
    databaseMs = NOON;
    mock.method(performance, 'now', () => 1_000);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });

  const isNoon = (clock: DatabaseClock) => expect(clock.now() - NOON).to.be.within(-2, 2);

  for (const [title, offMs] of [
    ['ahead', 2 * HOUR_MS],
    ['behind', -2 * HOUR_MS],
  ] as const) {
    it(`shows the time of the database where the machine's is ${title}, also while that is set`, async () => {
      mock.timers.enable({ apis: ['Date'], now: NOON + offMs });
      const clock = open();
      await clock.follow();
      isNoon(clock);
      mock.timers.setTime(NOON);
      isNoon(clock);
      await clock.follow();
      isNoon(clock);
      expect(asked).to.equal(2);
      expect(clock.now()).to.satisfy(Number.isSafeInteger);
    });
  }

  it("is the machine's while both agree, and the database is asked rarely", async () => {
    mock.timers.enable({ apis: ['Date'], now: NOON + 900 });
    const clock = open();
    for (let time = 0; time < 3; time++) await clock.follow();
    expect(clock.now() - NOON).to.be.within(898, 902);
    expect(asked).to.equal(1);
  });
});

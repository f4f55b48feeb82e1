import { createTestDatabase, type TestDatabase } from './database.js';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { makeWorld, type World } from './seed.js';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

/** An app for all tests of the suite that calls this. Like the others below, it may be read once the suite runs. */
export function appForSuite(options?: TestAppOptions): TestApp {
  return startedForSuite(() => startTestApp(options));
}

export function databaseForSuite(...options: Parameters<typeof createTestDatabase>): TestDatabase {
  return filled(
    before,
    after,
    () => createTestDatabase(...options),
    (test) => test.drop(),
  );
}

/** A database of its own for each test. */
export function databaseForEach(...options: Parameters<typeof createTestDatabase>): TestDatabase {
  return filled(
    beforeEach,
    afterEach,
    () => createTestDatabase(...options),
    (test) => test.drop(),
  );
}

export function worldForSuite(...of: Parameters<typeof makeWorld>): World {
  return filled(before, after, () => makeWorld(...of));
}

/** A workspace of its own for each test. */
export function worldForEach(...of: Parameters<typeof makeWorld>): World {
  return filled(beforeEach, afterEach, () => makeWorld(...of));
}

export function receiverForEach(): WebhookReceiver {
  return filled(
    beforeEach,
    afterEach,
    () => startWebhookReceiver(),
    (receiver) => receiver.stop(),
  );
}

/** What `start` makes, a plain object, for all tests of the suite. */
export function startedForSuite<T extends { stop(): Promise<unknown> }>(start: () => Promise<T>): T {
  return filled(before, after, start, (started) => started.stop());
}

/** @returns an object that gets the fields of what `start` makes, whenever it has made it */
function filled<T extends object>(
  early: Mocha.HookFunction,
  late: Mocha.HookFunction,
  start: () => Promise<T>,
  stop?: (started: T) => Promise<unknown>,
): T {
  const shown = {} as T;
  let started: T | undefined;
  early(async () => {
    started = await start();
    Object.assign(shown, started);
  });
  if (stop)
    late(async () => {
      if (started) await stop(started);
      started = undefined;
    });
  return shown;
}

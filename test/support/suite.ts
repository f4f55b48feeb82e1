import { createTestDatabase, type TestDatabase } from './database.js';
import { startTestApp, type TestApp, type TestAppOptions } from './app.js';
import { makeWorld, type World } from './seed.js';
import { startWebhookReceiver, type WebhookReceiver } from './webhook-receiver.js';

type Start<T extends object> = () => Promise<T> | T;

/**
 * Starts something for all tests of the suite that calls this, and ends it after them by the verb that it has for that.
 * @returns an object that has the fields and methods of what was started last; it may be read once the suite runs
 */
export function startedForSuite<T extends object>(start: Start<T>): T {
  return startedBy(before, after, start);
}

/** As `startedForSuite`, anew for each test. */
export function startedForEach<T extends object>(start: Start<T>): T {
  return startedBy(beforeEach, afterEach, start);
}

export function appForSuite(options?: TestAppOptions): TestApp {
  return startedForSuite(() => startTestApp(options));
}

export function databaseForSuite(...options: Parameters<typeof createTestDatabase>): TestDatabase {
  return startedForSuite(() => createTestDatabase(...options));
}

export function databaseForEach(...options: Parameters<typeof createTestDatabase>): TestDatabase {
  return startedForEach(() => createTestDatabase(...options));
}

export function worldForSuite(...of: Parameters<typeof makeWorld>): World {
  return startedForSuite(() => makeWorld(...of));
}

export function worldForEach(...of: Parameters<typeof makeWorld>): World {
  return startedForEach(() => makeWorld(...of));
}

export function receiverForEach(): WebhookReceiver {
  return startedForEach(() => startWebhookReceiver());
}

const END_VERBS = ['stop', 'close', 'drop', 'dispose'];

function startedBy<T extends object>(early: Mocha.HookFunction, late: Mocha.HookFunction, start: Start<T>): T {
  const shown = {} as T;
  let started: Record<string, unknown> | undefined;
  early(async () => {
    started = (await start()) as Record<string, unknown>;
    for (let from: object = started; from !== Object.prototype; from = Object.getPrototypeOf(from) as object)
      for (const key of Object.getOwnPropertyNames(from)) Object.defineProperty(shown, key, forwarded(started, key));
  });
  late(async () => {
    const verb = END_VERBS.find((each) => started && each in started);
    if (verb !== undefined) await (started![verb] as () => unknown)();
    started = undefined;
  });
  return shown;
}

/** A property that is read from `owner`, which may change it. Methods of a class have `owner` as `this`. */
function forwarded(owner: Record<string, unknown>, key: string): PropertyDescriptor {
  const isOwn = Object.hasOwn(owner, key);
  return {
    configurable: true,
    enumerable: isOwn,
    get: () => (typeof owner[key] === 'function' && !isOwn ? (owner[key].bind(owner) as unknown) : owner[key]),
    set: (value) => void (owner[key] = value),
  };
}

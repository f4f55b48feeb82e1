import type { Database } from '../db/database.js';
import { describeClockOffset, readClockOffset } from '../db/clock-offset.js';
import { asBackground } from '../db/request-context.js';
import { describeOldSnapshot, readSnapshotHolders } from '../db/oldest-snapshot.js';
import type { HealthCheck, HealthReport } from '../http/http-options.js';

export interface HealthParts {
  db: Database;
  /** null where no Redis is configured. */
  redisHealthy: (() => boolean) | null;
  /** How many agents are connected, over all processes; null in a process that serves none. */
  agents: (() => Promise<number>) | null;
  /** What is wrong with regions that have checks to run, a sentence each. */
  regionTroubles: () => Promise<readonly string[]>;
  /** Whether the OpenID provider answered last; absent in a process that asks none. */
  isProviderReachable?: () => boolean;
  /** Whether the process stops, so that no new requests should come. Default: it does not. */
  isStopping?: () => boolean;
}

const DEADLINE_MS = 2_000;
const OK: HealthCheck = { status: 'ok' };
const STOPPING: HealthCheck = { status: 'unavailable', message: 'This process stops.' };
const PROVIDER_AWAY: HealthCheck = {
  status: 'degraded',
  message:
    'The OpenID provider does not answer: nobody can sign in, and tokens are taken for an hour from its last answer.',
};
const UNUSED: HealthCheck = { status: 'unused' };

/**
 * Whether this process can do its work. Only the database and the end of the process decide between 200 and 503: without agents the
 * control plane still answers, and reports regions without agents and suspect regions; without Redis it does everything, more slowly.
 */
export function createHealth({
  db,
  redisHealthy,
  agents,
  regionTroubles,
  isProviderReachable,
  isStopping = () => false,
}: HealthParts): {
  check(): Promise<HealthReport>;
} {
  const examine = async (): Promise<HealthReport> => {
    const database = await checkDatabase(db);
    const redis: HealthCheck = !redisHealthy
      ? UNUSED
      : redisHealthy()
        ? OK
        : { status: 'degraded', message: 'Redis does not answer: what other processes change is found by polling.' };
    // A failure here is one of the database, which has a check of its own.
    const connected = agents && (await within(agents()).catch(() => null));
    const troubles = await within(regionTroubles()).catch(() => []);
    const fleet: HealthCheck =
      connected === null
        ? UNUSED
        : connected === 0
          ? { status: 'degraded', message: 'No agent is connected: nothing is being checked.' }
          : troubles.length > 0
            ? { status: 'degraded', message: troubles.join(' ') }
            : OK;
    const identityProvider: HealthCheck = isProviderReachable?.() === false ? PROVIDER_AWAY : OK;
    const checks = {
      database,
      redis,
      agents: fleet,
      ...(isProviderReachable ? { identityProvider } : {}),
      ...(isStopping() ? { process: STOPPING } : {}),
    };
    const statuses = Object.values(checks).map((check) => check.status);
    return {
      status: statuses.includes('unavailable') ? 'unavailable' : statuses.includes('degraded') ? 'degraded' : 'ok',
      checks,
    };
  };
  // It is the same for all callers: the requests of some must not make it look ill.
  return { check: () => asBackground(examine) };
}

/** An old snapshot is a warning: the database works, and grows. So are clocks that differ: all works, with wrong times. */
async function checkDatabase(db: Database): Promise<HealthCheck> {
  if (!(await databaseAnswers(db))) return { status: 'unavailable', message: 'The database does not answer.' };
  const messages = [
    describeOldSnapshot(await within(db.read(readSnapshotHolders)).catch(() => [])),
    describeClockOffset(await within(db.read(readClockOffset)).catch(() => 0)),
  ].filter((message) => message !== null);
  return messages.length === 0 ? OK : { status: 'degraded', message: messages.join(' ') };
}

export function databaseAnswers(db: Database): Promise<boolean> {
  return within(db.read((tx) => tx.query('SELECT 1'))).then(
    () => true,
    () => false,
  );
}

async function within<T>(work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer in time')), DEADLINE_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

import { randomBytes } from 'node:crypto';
import pino from 'pino';
import { ManualClock } from '@watchpost/shared/clock';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { newId } from '@watchpost/shared/id';
import { LocalBus } from '@watchpost/control-plane/platform/coordination/bus';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { eraseIncidents } from '@watchpost/control-plane/capabilities/incidents/index';
import type { MonitorChange, MonitorRules } from '@watchpost/control-plane/capabilities/monitors/index';
import type { PurgeDeps } from '@watchpost/control-plane/capabilities/monitors/purge-monitors';
import type { MonitorDeps } from '@watchpost/control-plane/capabilities/monitors/monitor-deps';
import { eraseResults } from '@watchpost/control-plane/capabilities/figures/index';
import { monitorInputSchemas } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { NOON } from '../../support/database.js';
import { TEST_VIA } from '../../support/via.js';

export { NOON };
export const URL_OF_SHOP = 'https://shop.example/';

export const rules: MonitorRules = {
  egress: createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] }),
};
export const schemas = monitorInputSchemas(rules);

export interface TestMonitorDeps extends MonitorDeps, PurgeDeps {
  clock: ManualClock;
  logger: pino.Logger;
  /** The changes that listeners received, in order. */
  changes: MonitorChange[];
  /** What was published after commits. */
  published: number[];
}

/** The dependencies of the verbs, with a clock that starts at noon. */
export function monitorDeps(db: Database): TestMonitorDeps {
  const bus = new LocalBus();
  const changes: MonitorChange[] = [];
  const published: number[] = [];
  bus.subscribe('monitor-changed', ({ monitorKey }) => published.push(monitorKey));
  return {
    db,
    bus,
    changes,
    published,
    clock: new ManualClock(NOON),
    logger: pino({ level: 'silent' }),
    secretBox: createSecretBox(randomBytes(32)),
    baseUrl: 'https://watchpost.example',
    ...rules,
    eraseResults: (monitorKeys) => eraseResults({ db }, monitorKeys),
    eraseIncidents: (monitorKeys) => eraseIncidents({ db }, monitorKeys),
    listeners: [async (_tx, made) => void changes.push(...made)],
  };
}

/** An owner with a workspace, or with one more. */
export async function seedActor(
  db: Database,
  options: { plan?: string; limits?: object; ownerId?: string } = {},
): Promise<Actor> {
  const userId = options.ownerId ?? newId(NOON);
  const workspaceId = newId(NOON);
  await db.transaction(async (tx) => {
    if (options.ownerId === undefined) {
      await tx.query(
        `INSERT INTO user_account (id, issuer, subject, plan, plan_limits, created, last_modified)
         VALUES ($1::uuid, 'https://issuer.test', $1::uuid::text, $2, $3, now(), now())`,
        [userId, options.plan ?? 'Growth', JSON.stringify(options.limits ?? {})],
      );
    }
    await tx.query(
      'INSERT INTO workspace (id, name, owner_id, created, last_modified) VALUES ($1, $2, $3, now(), now())',
      [workspaceId, 'Acme', userId],
    );
  });
  return {
    caller: {
      userId,
      credential: { type: 'token', issuer: 'https://issuer.test', subject: userId, clientId: null },
      scopes: new Set(),
    },
    workspace: { workspaceId, memberId: userId, role: 'Editor', ownerId: userId },
    via: TEST_VIA,
  };
}

/** The code of the fault that `work` ends with; undefined where it does not. */
export async function faultOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

import { pino, type Logger } from 'pino';
import { Registry } from 'prom-client';
import type { CheckKind } from '@watchpost/shared/check';
import { ManualClock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { CheckResult, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { Database } from '@watchpost/control-plane/platform/db/database';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import type { ResultsDeps } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import { Partitions } from '@watchpost/control-plane/capabilities/results/partitions/partitions';
import { IngestMetrics } from '@watchpost/control-plane/capabilities/results/ingest/ingest-metrics';
import { VerdictMetrics } from '@watchpost/control-plane/capabilities/verdicts/series/verdict-metrics';
import { NOON } from '../../support/database.js';

export { NOON };

interface LogLine {
  msg: string;
  notice?: string;
  region?: string;
  monitors?: number;
  monitorKey?: number;
}

export interface TestDeps extends ResultsDeps {
  db: Database;
  clock: ManualClock;
  logger: Logger;
  logged: LogLine[];
  registry: Registry;
}

/** The dependencies of the verbs of this slice, with a clock that stays at noon until it is moved. */
export function resultsDeps(db: Database, retentionDays = 35): TestDeps {
  const clock = new ManualClock(NOON);
  const registry = new Registry();
  const logged: LogLine[] = [];
  return {
    db,
    clock,
    secretBox: createSecretBox(Buffer.alloc(32, 7)),
    registry,
    logger: pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) }),
    logged,
    metrics: new IngestMetrics(registry),
    verdictMetrics: new VerdictMetrics(registry),
    partitions: new Partitions({ db, clock, retentionDays }),
  };
}

/** The notices to operators that were logged, in their order. */
export function noticesOf({ logged }: TestDeps): string[] {
  return logged.flatMap(({ notice, region }) => (notice ? [`${notice} ${region}`] : []));
}

export function failedExaminations({ logged }: TestDeps): number {
  return logged.filter(({ msg }) => msg === 'whether regions are suspect could not be decided').length;
}

export interface WorkspaceSeed {
  id: string;
  userId: string;
}

export async function seedWorkspace(
  db: Database,
  settings: { quorum?: string; autoClose?: boolean } = {},
): Promise<WorkspaceSeed> {
  const [id, userId] = [newId(NOON), newId(NOON)];
  await db.transaction(async (tx) => {
    await tx.query(
      `INSERT INTO user_account (id, issuer, subject, plan, created, last_modified)
       VALUES ($1::uuid, 'https://issuer.test', $1::uuid::text, 'Enterprise', now(), now())`,
      [userId],
    );
    await tx.query(
      `INSERT INTO workspace (id, name, owner_id, incident_quorum, auto_close_incidents, created, last_modified)
       VALUES ($1, 'Acme', $2, $3, $4, now(), now())`,
      [id, userId, settings.quorum ?? 'majority', settings.autoClose ?? true],
    );
  });
  return { id, userId };
}

export interface MonitorSeed {
  id: string;
  key: number;
  workspaceId: string;
}

export interface MonitorSettings {
  regions?: readonly Region[];
  checksBeforeAlert?: number;
  checksBeforeRecovery?: number;
  createdMs?: number;
  types?: readonly string[];
}

/** Monitors checked every minute, made an hour before noon. */
export async function seedMonitors(
  db: Database,
  workspaceId: string,
  count: number,
  {
    regions = [],
    checksBeforeAlert = 2,
    checksBeforeRecovery = 1,
    createdMs = NOON - 60 * MINUTE_MS,
    types = ['HttpAvailability'],
  }: MonitorSettings = {},
): Promise<MonitorSeed[]> {
  const ids = Array.from({ length: count }, () => newId(createdMs));
  return db.transaction((tx) =>
    tx.query<MonitorSeed>(
      `INSERT INTO monitor (id, workspace_id, name, url, monitor_types, check_interval_ms, check_timeout_ms,
         checks_before_alert, checks_before_recovery, enabled_regions, reporting,
         created, last_modified, checks_changed)
       SELECT id, $2, 'Shop', 'https://shop.test/', $7, 60000, 30000, $3, $4, $5, '{}', $6, $6, $6
       FROM unnest($1::uuid[]) AS id RETURNING id, key, workspace_id AS "workspaceId"`,
      [ids, workspaceId, checksBeforeAlert, checksBeforeRecovery, regions, new Date(createdMs), types],
    ),
  );
}

/** A monitor of a workspace of its own. */
export async function seedLoneMonitor(
  db: Database,
  settings?: MonitorSettings,
  workspace?: { quorum?: string },
): Promise<MonitorSeed> {
  const [monitor] = await seedMonitors(db, (await seedWorkspace(db, workspace)).id, 1, settings);
  return monitor!;
}

export const UP: Outcome = { kind: 'up' };
export const DOWN: Outcome = {
  kind: 'down',
  phase: 'connect',
  reason: 'connection_refused',
  message: 'The server at 203.0.113.7:443 refused the connection.',
};
/** What a site itself answers: over verified TLS it is evidence that waits for nobody, unlike `DOWN`. */
export const BROKEN: Outcome = {
  kind: 'down',
  phase: 'content',
  reason: 'unexpected_status',
  message: 'The server answered with status 500 Internal Server Error instead of 200-399.',
};
export const BLIND: Outcome = {
  kind: 'inconclusive',
  reason: 'agent_no_network',
  message: 'The agent had no network.',
};

/** A result of a minute check that started 3 ms after it was due. */
export function resultOf(
  monitorKey: number,
  scheduledAtMs: number,
  outcome: Outcome = UP,
  kind: CheckKind = 'http',
): CheckResult {
  return {
    key: { monitorKey, kind },
    scheduledAtMs,
    startedAtMs: scheduledAtMs + 3,
    freshMs: 2 * MINUTE_MS + 30_000,
    totalUs: 42_500,
    timings: { dnsUs: 1_500, connectUs: 9_000, tlsUs: 20_000, firstByteUs: 11_000, transferUs: 1_000 },
    statusCode: outcome.kind === 'up' ? 200 : null,
    address: '203.0.113.7:443',
    evidence: outcome.kind === 'down' ? { resolved: ['203.0.113.7'] } : null,
    loopLagUs: 120,
    outcome,
  };
}

export const agentIn = (region: Region) => ({ agentId: newId(NOON), agentKey: 7, region });

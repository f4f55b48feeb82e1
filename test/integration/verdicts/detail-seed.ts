import type { CheckKind } from '@watchpost/shared/check';
import type { CheckResult, DnsDetail, DnsRecords, Outcome, SslDetail } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { DAY_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import type { TestDatabase } from '../../support/database.js';
import { agentIn, NOON, resultOf, type MonitorSeed, type TestDeps } from '../results/seed.js';

/** A certificate that is good until so many days and an hour after noon. */
export function certificate(daysLeft: number, changed: Partial<SslDetail> = {}): SslDetail {
  const summary = {
    subject: 'CN=shop.test',
    issuer: 'CN=Test CA',
    serialNumber: '01',
    validFrom: new Date(NOON - 60 * DAY_MS).toISOString(),
    validTo: new Date(NOON + daysLeft * DAY_MS + 60 * MINUTE_MS).toISOString(),
    fingerprint256: 'AA:01',
  };
  return {
    kind: 'ssl',
    ...summary,
    isValid: true,
    daysUntilExpiry: daysLeft,
    subjectAltNames: ['shop.test'],
    keyType: 'ec',
    keyBits: 256,
    signatureAlgorithm: 'ecdsa-with-SHA256',
    protocol: 'TLSv1.3',
    cipher: 'TLS_AES_256_GCM_SHA384',
    chain: [summary],
    chainTrusted: true,
    hostnameMatches: true,
    ocspStapled: false,
    ocsp: null,
    ...changed,
  };
}

export function answer(records: DnsRecords, changed: Partial<DnsDetail> = {}): DnsDetail {
  return {
    kind: 'dns',
    resolver: '192.0.2.53:53',
    records,
    responseUs: 12_500,
    propagation: null,
    ...changed,
  };
}

export const down = (reason: Extract<Outcome, { kind: 'down' }>['reason'], message: string): Outcome => ({
  kind: 'down',
  phase: reason.startsWith('certificate') ? 'tls' : reason === 'dns_mismatch' ? 'content' : 'dns',
  reason,
  message,
});

export interface Observation {
  kind?: CheckKind;
  outcome?: Outcome;
  detail?: SslDetail | DnsDetail;
  region?: Region;
  /** How late it arrives, minutes. */
  lateMinutes?: number;
  totalMs?: number;
}

/** The result of a check scheduled in the given minute after noon. */
export function observedResult(monitor: MonitorSeed, minute: number, observation: Observation): CheckResult {
  const kind = observation.kind ?? observation.detail?.kind ?? 'http';
  return {
    ...resultOf(monitor.key, NOON + minute * MINUTE_MS, observation.outcome, kind),
    ...(observation.detail ? { detail: observation.detail } : {}),
    ...(observation.totalMs === undefined ? {} : { totalUs: observation.totalMs * 1_000 }),
  };
}

/** Ingests such a result half a second after its scheduled time, or later if it is late. */
export async function observe(
  deps: TestDeps,
  monitor: MonitorSeed,
  minute: number,
  observation: Observation,
): Promise<CheckResult> {
  const result = observedResult(monitor, minute, observation);
  deps.clock.set(NOON + (minute + (observation.lateMinutes ?? 0)) * MINUTE_MS + 500);
  await ingestBatch(deps, agentIn(observation.region ?? 'northeurope'), [result]);
  return result;
}

export interface StoredIncident {
  type: string;
  isClosed: boolean;
  severity: string;
  regions: string[];
  reason: string;
  context: Record<string, unknown>;
}

export function monitorState(test: TestDatabase, monitor: () => MonitorSeed) {
  const query = <Row extends object>(sql: string) => test.sql<Row>(sql, [monitor().key]);
  return {
    incidents: () =>
      query<StoredIncident>(
        `SELECT incident_type AS type, is_closed AS "isClosed", severity, regions, failure_reason AS reason, context
         FROM incident WHERE monitor_key = $1 ORDER BY started, incident_type`,
      ),
    /** Those about the monitor itself, not its incidents. */
    events: async () =>
      (
        await query<{ type: string; detail: Record<string, unknown> }>(
          `SELECT type, detail FROM alert_event WHERE monitor_key = $1 AND type LIKE 'monitor.%' ORDER BY at, id`,
        )
      ).map(({ type, detail }) => ({ type, ...detail })),
    health: async () =>
      (
        await query<{ verdict: string; health: string | null }>(
          'SELECT verdict, health_status AS health FROM monitor_state WHERE monitor_key = $1',
        )
      )[0],
  };
}

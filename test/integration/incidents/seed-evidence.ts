import type { CheckResult, Evidence, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';
import { MINUTE_MS } from '@watchpost/shared/time';
import { issueEvidenceLinks } from '@watchpost/control-plane/capabilities/delivery/index';
import { tokenOfLink } from '@watchpost/control-plane/capabilities/delivery/links/evidence-link';
import { addSecondOpinion } from '@watchpost/control-plane/capabilities/incidents/index';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import type { TestApp } from '../../support/app.js';
import { seedMonitor, type World } from '../../support/seed.js';
import { agentIn, NOON, resultOf, resultsDeps, UP } from '../results/seed.js';

const OUT_OF_ORDER: Outcome = {
  kind: 'down',
  phase: 'content',
  reason: 'unexpected_status',
  message: 'The server answered with status 503 Service Unavailable instead of 200-399.',
};

/** Hostile content for the document. */
export const HOSTILE = `<h1>Out of order</h1>\n<script>alert('x')</script><img src="https://evil.example/x.png">&amp;`;

export const EVIDENCE: Evidence = {
  headers: {
    'content-type': 'text/html; charset=utf-8',
    server: 'nginx/1.27',
    'retry-after': '120',
    'set-cookie': '***',
  },
  bodyStart: HOSTILE,
  resolved: ['203.0.113.7', '2001:db8::7'],
  path: {
    address: '203.0.114.7:443',
    tracedAt: '2026-11-21T12:00:05.000Z',
    reached: false,
    hops: [
      { ttl: 1, address: '10.20.30.40', name: 'gate.internal.example', rttMs: 0.5, loss: null },
      { ttl: 2, address: null, name: null, rttMs: null, loss: null },
      { ttl: 3, address: '8.8.4.4', name: '<b>core</b>.example', rttMs: 9.25, loss: null },
    ],
    stoppedAt: 3,
    lastGood: {
      tracedAt: '2026-11-21T02:00:05.000Z',
      hops: [{ ttl: 1, address: '10.20.30.41', name: null, rttMs: 0.5, loss: null }],
    },
  },
};

export interface Watched {
  id: string;
  key: number;
}

/** The way to an incident's evidence, as messages have it. */
export async function linkTo({ db, clock, secretBox, baseUrl }: TestApp, incidentId: string): Promise<string> {
  const link = await db.transaction(async (tx) => {
    const [incident] = await tx.query<{ workspaceId: string }>(
      'SELECT workspace_id AS "workspaceId" FROM incident WHERE id = $1',
      [incidentId],
    );
    if (!incident) return undefined;
    const subject = { workspaceId: incident.workspaceId, incidentId, channel: 'email' } as const;
    return (await issueEvidenceLinks({ clock, secretBox, baseUrl }, tx, [subject]))[0];
  });
  return link ?? `${baseUrl}/incident/${tokenOfLink(secretBox, incidentId)}`;
}

export async function seedWatched(world: World, settings: object = {}): Promise<Watched> {
  const { id } = await seedMonitor(world, {
    url: 'https://shop.example/checkout',
    enabledRegions: ['eastus2', 'southeastasia'],
    checkInterval: 'PT5M',
    numberOfChecksBeforeAlert: 1,
    ...settings,
  });
  const key = await world.app.value<number>('SELECT key FROM monitor WHERE id = $1', [id]);
  return { id, key };
}

/** What an agent reports, at the app's own time. */
export async function file(app: TestApp, region: Region, results: readonly CheckResult[]): Promise<void> {
  await ingestBatch({ ...resultsDeps(app.db), clock: app.clock, secretBox: app.secretBox }, agentIn(region), results);
}

/** A check that failed with all that an agent keeps of it. */
function failing(key: number, atMs: number, evidence: Evidence = EVIDENCE, outcome = OUT_OF_ORDER): CheckResult {
  return {
    ...resultOf(key, atMs, outcome),
    statusCode: 503,
    totalUs: 331_900,
    timings: { dnsUs: 12_400, connectUs: 38_000, tlsUs: 61_500, firstByteUs: 218_000, transferUs: 2_000 },
    evidence,
  };
}

/** The day before noon: checks from three regions, each with a latency of its own, and an hour of trouble in one of them. */
export async function seedDay({ app }: World, { key }: Watched): Promise<void> {
  app.clock.set(NOON);
  for (const [place, region] of (['northeurope', 'eastus2', 'southeastasia'] as const).entries()) {
    const batch = Array.from({ length: 287 }, (_, index) => ({
      ...resultOf(
        key,
        NOON - 24 * 60 * MINUTE_MS + index * 5 * MINUTE_MS,
        place === 1 && index > 95 && index < 108 ? OUT_OF_ORDER : UP,
      ),
      totalUs: Math.round(70_000 * (place + 1) + 20_000 * Math.sin(index / 20 + place)),
      freshMs: 10 * MINUTE_MS,
    }));
    await file(app, region, batch);
  }
}

/**
 * At noon an outage in two regions, which has lasted three minutes by now; the third goes on being fine.
 * @returns the incident's id
 */
export async function seedOutage(world: World, { key, id }: Watched, evidence: Evidence = EVIDENCE): Promise<string> {
  const { app } = world;
  app.clock.set(NOON);
  await file(app, 'northeurope', [resultOf(key, NOON)]);
  await file(app, 'eastus2', [failing(key, NOON + 1_000, evidence)]);
  app.clock.set(NOON + 2_000);
  await file(app, 'southeastasia', [failing(key, NOON + 2_000, evidence)]);
  for (let minute = 1; minute <= 3; minute++) {
    app.clock.set(NOON + minute * MINUTE_MS + 2_000);
    const atMs = NOON + minute * MINUTE_MS;
    await file(app, 'northeurope', [resultOf(key, atMs)]);
    await file(app, 'eastus2', [failing(key, atMs + 1_000, evidence)]);
    await file(app, 'southeastasia', [failing(key, atMs + 2_000, evidence)]);
  }
  const [incident] = await app.sql<{ id: string }>('SELECT id FROM incident WHERE monitor_id = $1 AND NOT is_closed', [
    id,
  ]);
  if (!incident) throw new Error('no incident opened');
  const opinion = {
    failedIn: 'eastus2',
    region: 'westus3',
    askedAt: new Date(NOON + 2_500).toISOString(),
    outcome: 'down' as const,
    phase: 'content',
    reason: 'unexpected_status',
    message: 'The server answered with status 503 Service Unavailable instead of 200-399.',
    statusCode: 503,
    address: '203.0.113.7:443',
    responseTime: 211,
  };
  await app.db.transaction((tx) => addSecondOpinion(tx, key, 'Availability', opinion));
  return incident.id;
}

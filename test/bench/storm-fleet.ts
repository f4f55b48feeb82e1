import { setTimeout as sleep } from 'node:timers/promises';
import { credentials, Metadata, type ClientDuplexStream } from '@grpc/grpc-js';
import { encodeResult } from '@watchpost/shared/wire/encode-result';
import { encodeResultBatch, type EncodedBatch } from '@watchpost/shared/wire/encode-result-batch';
import {
  AgentServiceClient,
  AgentServiceService,
  type ResultAck,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import { schedulePhaseMs } from '@watchpost/shared/check';
import type { CheckResult, Evidence, Outcome } from '@watchpost/shared/outcome';
import type { Region } from '@watchpost/shared/region';

/** The agents of each region share its checks. Every monitor is checked in every region once, when it is scheduled. */
export interface StormOrder {
  port: number;
  regions: readonly { region: Region; tokens: readonly string[] }[];
  monitorKeys: readonly number[];
  intervalMs: number;
  outcome: 'up' | 'down';
}

/** When the last result of a monitor was sent, and when it was acknowledged; ms since the epoch. */
export type StormReport = [monitorKey: number, sentMs: number, acknowledgedMs: number][];

/** How often an agent sends what it has. */
const SEND_MS = 500;

const BROKEN: Outcome = {
  kind: 'down',
  phase: 'content',
  reason: 'unexpected_status',
  message: 'The server answered with status 503 Service Unavailable instead of 200-399.',
};
const EVIDENCE: Evidence = {
  headers: { server: 'nginx', date: 'Mon, 23 Nov 2026 09:00:00 GMT', 'content-type': 'text/html', 'retry-after': '30' },
  bodyStart: `<html><head><title>503 Service Unavailable</title></head><body>${'x'.repeat(400)}</body></html>`,
  resolved: ['203.0.113.7'],
};
const now = (): number => performance.timeOrigin + performance.now();

process.on('message', (order: StormOrder) => void check(order).then((report) => process.send!(report)));
process.once('disconnect', () => process.exit());

async function check({ port, regions, monitorKeys, intervalMs, outcome }: StormOrder): Promise<StormReport> {
  const last = new Map<number, { sentMs: number; acknowledgedMs: number }>();
  const startedMs = Math.ceil(now());
  const dueMs = (monitorKey: number, region: Region): number => {
    const afterMs = (startedMs - schedulePhaseMs({ monitorKey, kind: 'http' }, region, intervalMs)) % intervalMs;
    return startedMs + ((intervalMs - afterMs) % intervalMs);
  };
  await Promise.all(
    regions.flatMap(({ region, tokens }) =>
      tokens.map((token, index) => {
        const keys = monitorKeys.filter((_key, at) => at % tokens.length === index);
        const checks = keys.map((key) => ({ key, dueMs: dueMs(key, region) })).sort((a, b) => a.dueMs - b.dueMs);
        return sendResults(port, token, checks, outcome, (key, sentMs, acknowledgedMs) => {
          const known = last.get(key);
          last.set(key, {
            sentMs: Math.max(known?.sentMs ?? 0, sentMs),
            acknowledgedMs: Math.max(known?.acknowledgedMs ?? 0, acknowledgedMs),
          });
        });
      }),
    ),
  );
  return [...last].map(([key, { sentMs, acknowledgedMs }]) => [key, sentMs, acknowledgedMs]);
}

/**
 * One agent: sends the results whose checks have ended twice a second, until all are acknowledged. After its stream broke,
 * it sends again what was not acknowledged.
 */
async function sendResults(
  port: number,
  token: string,
  checks: readonly { key: number; dueMs: number }[],
  outcome: StormOrder['outcome'],
  onAcknowledged: (key: number, sentMs: number, acknowledgedMs: number) => void,
): Promise<void> {
  const spoolId = `storm-${Math.random()}`;
  const firstSentMs: number[] = [];
  let acknowledged = 0;
  await sleep(Math.random() * SEND_MS);
  while (acknowledged < checks.length) {
    const { client, call } = openStream(port, token);
    const broken = new AbortController();
    call.on('error', () => broken.abort());
    call.on('end', () => broken.abort());
    call.on('data', ({ throughSequence }: ResultAck) => {
      const atMs = now();
      for (; acknowledged < Number(throughSequence); acknowledged++)
        onAcknowledged(checks[acknowledged]!.key, firstSentMs[acknowledged]!, atMs);
    });
    for (let sent = acknowledged; acknowledged < checks.length && !broken.signal.aborted;) {
      const sentMs = now();
      const due = checks.slice(sent).filter(({ dueMs }) => dueMs <= sentMs);
      if (due.length > 0) {
        const payloads = due.map(({ key, dueMs }) => encodeResult(resultOf(key, dueMs, outcome)));
        call.write({ firstSequence: sent + 1, spoolId, payloads });
        for (let place = sent; place < sent + due.length; place++) firstSentMs[place] ??= sentMs;
        sent += due.length;
      }
      await sleep(SEND_MS);
    }
    client.close();
    if (acknowledged < checks.length) await sleep(SEND_MS);
  }
}

function openStream(port: number, token: string) {
  const client = new AgentServiceClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${token}`);
  const { path, responseDeserialize } = AgentServiceService.streamResults;
  const call: ClientDuplexStream<EncodedBatch, ResultAck> = client.makeBidiStreamRequest(
    path,
    encodeResultBatch,
    responseDeserialize,
    metadata,
  );
  return { client, call };
}

function resultOf(monitorKey: number, scheduledAtMs: number, outcome: StormOrder['outcome']): CheckResult {
  const isUp = outcome === 'up';
  return {
    key: { monitorKey, kind: 'http' },
    scheduledAtMs,
    startedAtMs: scheduledAtMs + 2,
    freshMs: 150_000,
    totalUs: 42_500,
    timings: { dnsUs: 1_500, connectUs: 9_000, tlsUs: 20_000, firstByteUs: 11_000, transferUs: 1_000 },
    statusCode: isUp ? 200 : 503,
    address: '203.0.113.7:443',
    loopLagUs: 120,
    ...(isUp
      ? { evidence: null, outcome: { kind: 'up' } }
      : // An answer over verified TLS is evidence even where most of a region fails.
        { evidence: EVIDENCE, outcome: BROKEN, answer: 'verified' }),
  };
}

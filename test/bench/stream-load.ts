import { credentials, Metadata, type ClientDuplexStream } from '@grpc/grpc-js';
import { encodeResultBatch, type EncodedBatch } from '@watchpost/shared/wire/encode-result-batch';
import { encodeResult } from '@watchpost/shared/wire/encode-result';
import {
  AgentServiceClient,
  AgentServiceService,
  type ResultAck,
} from '@watchpost/shared/gen/watchpost/agent/v1/agent';
import type { CheckResult } from '@watchpost/shared/outcome';
import { MINUTE_MS } from '@watchpost/shared/time';
import { quantile } from './figures.js';

/** The input of a sending process: it sends one result per monitor and minute. */
export interface StreamLoad {
  port: number;
  monitorKeys: readonly number[];
  firstMinuteMs: number;
  /** The results before these warm up. */
  warmUp: number;
  results: number;
  batch: number;
  /** The largest number of batches without an acknowledgement. */
  inFlight: number;
  /** 0: as fast as possible. */
  perSecond: number;
}

export interface StreamFigures {
  perSecond: number;
  /** The times from the due time of each batch until its acknowledgement, in ms. */
  p50Ms: number;
  p99Ms: number;
}

process.on('message', (load: StreamLoad) => void send(load).then((figures) => process.send!(figures)));
process.once('disconnect', () => process.exit());

function send(load: StreamLoad): Promise<StreamFigures> {
  const { port, batch, inFlight, perSecond, warmUp } = load;
  const total = warmUp + load.results;
  const client = new AgentServiceClient(`127.0.0.1:${port}`, credentials.createInsecure(), {
    'grpc.use_local_subchannel_pool': 1,
  });
  const metadata = new Metadata();
  metadata.set('authorization', 'Bearer bench');
  const { path, responseDeserialize } = AgentServiceService.streamResults;
  const call: ClientDuplexStream<EncodedBatch, ResultAck> = client.makeBidiStreamRequest(
    path,
    encodeResultBatch,
    responseDeserialize,
    metadata,
  );
  // Encoded in advance, because an agent encodes a result when its check ends, not when it sends.
  const payloads = Array.from({ length: total }, (_, index) => payloadOf(load, index));
  const open: { last: number; dueMs: number }[] = [];
  const latencies: number[] = [];
  let sent = 0;
  let acknowledged = 0;
  let measuredFromMs = 0;
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    const pump = (): void => {
      while (sent < total && open.length < inFlight) {
        const dueMs = perSecond === 0 ? performance.now() : startedMs + (sent / perSecond) * 1_000;
        const waitMs = dueMs - performance.now();
        if (waitMs > 0) {
          timer ??= setTimeout(() => {
            timer = undefined;
            pump();
          }, waitMs);
          return;
        }
        const part = payloads.slice(sent, sent + batch);
        sent += part.length;
        open.push({ last: sent, dueMs });
        call.write({ firstSequence: sent - part.length + 1, spoolId: 'bench', payloads: part });
      }
    };
    let timer: NodeJS.Timeout | undefined;
    call.on('data', ({ throughSequence }: ResultAck) => {
      const now = performance.now();
      while (open[0] && open[0].last <= Number(throughSequence)) {
        const { last, dueMs } = open.shift()!;
        acknowledged = last;
        if (last <= warmUp) measuredFromMs = now;
        else latencies.push(now - dueMs);
      }
      if (acknowledged < total) return pump();
      client.close();
      const seconds = (now - (measuredFromMs || startedMs)) / 1_000;
      resolve({ perSecond: load.results / seconds, p50Ms: quantile(latencies, 0.5), p99Ms: quantile(latencies, 0.99) });
    });
    pump();
  });
}

function payloadOf({ monitorKeys, firstMinuteMs }: StreamLoad, index: number): Uint8Array {
  const place = index % monitorKeys.length;
  const scheduledAtMs =
    firstMinuteMs +
    Math.floor(index / monitorKeys.length) * MINUTE_MS +
    Math.floor((place * MINUTE_MS) / monitorKeys.length);
  const result: CheckResult = {
    key: { monitorKey: monitorKeys[place]!, kind: 'http' },
    scheduledAtMs,
    startedAtMs: scheduledAtMs + 2,
    freshMs: 150_000,
    totalUs: 42_500,
    timings: { dnsUs: 1_500, connectUs: 9_000, tlsUs: 20_000, firstByteUs: 11_000, transferUs: 1_000 },
    statusCode: 200,
    address: '203.0.113.7:443',
    evidence: null,
    loopLagUs: 120,
    outcome: { kind: 'up' },
  };
  return encodeResult(result);
}

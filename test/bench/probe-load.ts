import { httpCheck } from '@watchpost/shared/checks/http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createProbes } from '@watchpost/agent/probes/index';
import { createSecureContexts } from '@watchpost/agent/probes/secure-socket';
import type { CheckSpec } from '@watchpost/shared/check';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { WARM_UP } from './warm-up.js';

/** The input of one measuring process, which sends checks of one kind in one way and reports their cost. */
export interface Load {
  way: 'probe' | 'bare';
  /** The version that the probe uses; default 1.1. */
  httpVersion?: '1.1' | '2';
  url: string;
  rootPem: string;
  perSecond: number;
  seconds: number;
  /**
   * When checks start, as a share of the time between two of them, after a whole number of such times of the wall clock: so
   * two processes need not check at the same moment, at which one wakes target and kernel for both.
   */
  at: number;
}

export interface Cost {
  cpuUsPerCheck: number;
  failed: number;
}

const never = new AbortController().signal;

/** The whole probe, as the agent runs it. */
function probeCheck(load: Load): () => Promise<boolean> {
  const egress = createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] });
  const probes = createProbes({
    monitorEgress: egress,
    publicEgress: egress,
    version: '0.0.0',
    extraCertificates: [load.rootPem],
  });
  const spec: CheckSpec = {
    key: { monitorKey: 1, kind: 'http' },
    intervalMs: 60_000,
    timeoutMs: 30_000,
    phaseMs: 0,
    changedAtMs: 0,
    target: httpCheck.target.parse({ url: load.url, httpVersion: load.httpVersion }),
  };
  return async () => (await probes.run(spec, never)).outcome.kind === 'up';
}

/** The minimum in Node.js: a socket, a constant request, and an answer that is read to its end and not parsed. */
function bareCheck(load: Load): () => Promise<boolean> {
  const url = new URL(load.url);
  const port = Number(url.port);
  const request = `GET / HTTP/1.1\r\nHost: ${url.host}\r\nConnection: close\r\n\r\n`;
  const { verified: secureContext } = createSecureContexts([load.rootPem], Date.now);
  return () =>
    new Promise((resolve) => {
      const ready = (): void => void socket.write(request);
      const socket =
        url.protocol === 'https:'
          ? connectTls({ host: url.hostname, port, secureContext }, ready)
          : connect({ host: url.hostname, port }, ready);
      socket.on('data', () => undefined);
      socket.once('end', () => resolve(true));
      socket.once('error', () => resolve(false));
    });
}

/** Evenly distributed, because bursts would halve the CPU time and distort the phase timings of real checks. */
async function pace(check: () => Promise<boolean>, { perSecond, seconds, at }: Load): Promise<number> {
  const total = Math.round(perSecond * seconds);
  const betweenMs = 1_000 / perSecond;
  const wallMs = performance.timeOrigin + performance.now();
  const startAt = (Math.ceil(wallMs / betweenMs) + at) * betweenMs - performance.timeOrigin;
  const running: Promise<boolean>[] = [];
  for (let index = 0; index < total; index++) {
    const wait = startAt + index * betweenMs - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    running.push(check());
  }
  return (await Promise.all(running)).filter((up) => !up).length;
}

let check: (() => Promise<boolean>) | null = null;
process.on('message', (load: Load) => void measure(load));
process.once('disconnect', () => process.exit());

async function measure(load: Load): Promise<void> {
  if (!check) {
    check = load.way === 'probe' ? probeCheck(load) : bareCheck(load);
    await pace(check, { ...load, perSecond: load.perSecond * WARM_UP.faster, seconds: WARM_UP.seconds });
  }
  const before = process.cpuUsage();
  const failed = await pace(check, load);
  const used = process.cpuUsage(before);
  const cost: Cost = { cpuUsPerCheck: (used.user + used.system) / Math.round(load.perSecond * load.seconds), failed };
  process.send!(cost);
}

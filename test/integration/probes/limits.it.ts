import { AsyncLocalStorage, createHook } from 'node:async_hooks';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { ProbeTarget } from '@watchpost/shared/check';
import { sslCheck } from '@watchpost/shared/checks/ssl';
import { tcpUdpCheck } from '@watchpost/shared/checks/tcp-udp';
import { createAuthority, type TestAuthority } from '../../support/certificates.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import {
  DATA,
  END_HEADERS,
  END_STREAM,
  forever,
  frame,
  GOAWAY,
  header,
  HEADERS,
  RST_STREAM,
  SETTINGS,
} from '../../support/http2-frames.js';
import { answer, closeAtOnce, drip, hang, raw, redirectTo, reset } from '../../support/target-behaviours.js';
import { startTarget, type Behaviour, type Target } from '../../support/target-server.js';
import { bareProbes, httpCheck, run, testProbes } from './probe-check.js';

/** The things that a test makes and that can keep the process alive, by the name of their kind. Files that ran before in this process do not count. */
const made = new AsyncLocalStorage<Map<object, string>>();
const watch = createHook({ init: (_id, type, _trigger, resource) => void made.getStore()?.set(resource, type) });

function alive(all: ReadonlyMap<object, string>): string[] {
  const isAlive = (one: { hasRef?(): boolean; _destroyed?: boolean }) =>
    one.hasRef?.() === true && one._destroyed !== true;
  return [...all].filter(([one]) => isAlive(one)).map(([, type]) => type);
}

/** Sockets that are closing get the time that they take. @returns what stays after that */
async function settled(all: ReadonlyMap<object, string>): Promise<string[]> {
  const until = Date.now() + 20_000;
  do await new Promise((resolve) => setTimeout(resolve, 2));
  while (alive(all).length > 0 && Date.now() < until);
  return alive(all);
}

/** A test after which nothing is left of what it made. */
const leavesNothing = (test: () => Promise<void>) => async (): Promise<void> => {
  const all = new Map<object, string>();
  await made.run(all, test);
  expect(await settled(all)).to.deep.equal([]);
};

describe('the resources of a check', () => {
  let authority: TestAuthority;
  let plain: Target;
  let secure: Target;
  before(async () => {
    watch.enable();
    authority = await createAuthority();
    plain = await startTarget({ behaviour: answer() });
    secure = await startTarget({ behaviour: answer(), tls: await authority.issue() });
  });
  after(() => {
    watch.disable();
    return Promise.all([plain.close(), secure.close()]);
  });

  it(
    'are released at any end of an HTTP check: sockets, timers and listeners',
    leavesNothing(async () => {
      const probes = testProbes({ extraCertificates: [authority.rootPem] });
      const signal = new AbortController().signal;
      const behaviours: Behaviour[] = [
        answer(),
        answer({ status: 500 }),
        hang,
        closeAtOnce,
        reset,
        raw('garbage'),
        redirectTo('/again'),
        drip(['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n', 'x', 'x'], 1_000),
        ({ socket }) => void socket.write(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2 * 1024 * 1024)}`),
      ];
      for (const target of [plain, secure]) {
        for (const behaviour of behaviours) {
          target.behave(behaviour);
          await probes.run(httpCheck(target.url, { timeoutMs: 100, keyword: { text: 'x', mode: 'present' } }), signal);
        }
      }
      await probes.run(httpCheck('http://127.0.0.1:1/'), signal);
      await probes.run(httpCheck('http://no-such-name.invalid/'), signal);
      await probes.run(httpCheck('https://127.0.0.1:1/', { egress: 'public' }), signal);
    }),
  );

  it(
    'are released at any end of a check over HTTP/2',
    leavesNothing(async () => {
      const probes = testProbes();
      const opened = Buffer.concat([SETTINGS, frame(HEADERS, END_HEADERS, 1, header(':status', '200'))]);
      let behave = (_socket: Socket): void => undefined;
      const target = await startTarget({
        behaviour: hang,
        onConnection: (socket) => (socket.once('data', () => behave(socket)), true),
      });
      const check = (signal = new AbortController().signal) =>
        probes.run(
          httpCheck(target.url, { httpVersion: '2', timeoutMs: 100, keyword: { text: 'x', mode: 'present' } }),
          signal,
        );
      await check();
      for (const behaviour of [
        () => undefined,
        (socket: Socket) => void socket.write(opened),
        (socket: Socket) => void socket.write(Buffer.concat([opened, frame(DATA, END_STREAM, 1, Buffer.from('x'))])),
        (socket: Socket) => void socket.write(Buffer.concat([opened, frame(RST_STREAM, 0, 1, Buffer.alloc(4))])),
        (socket: Socket) => void socket.write(Buffer.concat([opened, frame(GOAWAY, 0, 0, Buffer.alloc(8, 1))])),
        (socket: Socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'),
        (socket: Socket) => void socket.end(opened),
        (socket: Socket) => void socket.resetAndDestroy(),
        (socket: Socket) => (socket.write(opened), forever(socket, frame(DATA, 0, 1, Buffer.alloc(16_000)))),
        (socket: Socket) => forever(socket, SETTINGS),
      ]) {
        behave = behaviour;
        await check();
      }
      behave = () => undefined;
      const stop = new AbortController();
      const stopped = check(stop.signal);
      setImmediate(() => stop.abort());
      expect((await stopped).outcome).to.include({ reason: 'agent_stopping' });
      await eventually('every socket is closed', () => target.openSockets === 0 || undefined, PATIENCE_MS, 2);
      await target.close();
    }),
  );

  it(
    'are released at any end of an SSL, DNS, TCP or UDP check',
    leavesNothing(async () => {
      const probes = testProbes({ extraCertificates: [authority.rootPem], dnsPort: 1 });
      const silent = await startTarget({ behaviour: hang, onConnection: () => true });
      const base = { host: '127.0.0.1', egress: 'monitor' } as const;
      const targets: ProbeTarget[] = [
        ...[secure.port, plain.port, silent.port, 1].map((port) =>
          sslCheck.target.parse({ ...base, port, incidentDays: 7 }),
        ),
        ...[silent.port, plain.port, 1].flatMap((port) =>
          (['tcp', 'udp'] as const).map((protocol) =>
            tcpUdpCheck.target.parse({ ...base, protocol, port, send: 'x', expect: 'y' }),
          ),
        ),
        ...[`127.0.0.1:${silent.port}`, '127.0.0.1:1'].map((resolver): ProbeTarget => ({
          ...base,
          kind: 'dns',
          hostname: 'shop.example',
          recordTypes: ['A', 'MX'],
          expectedRecords: [],
          resolvers: [resolver],
          checkPropagation: true,
          dnssec: 'off',
          signatureDays: 3,
        })),
      ];
      const stop = new AbortController();
      for (const target of targets) await probes.run({ timeoutMs: 150, target }, stop.signal);
      const stopped = targets.map((target) => probes.run({ timeoutMs: 60_000, target }, stop.signal));
      stop.abort();
      for (const report of await Promise.all(stopped))
        expect(report.outcome).to.include({ kind: 'inconclusive', reason: 'agent_stopping' });
      for (const target of targets)
        expect((await probes.run({ timeoutMs: 60_000, target }, stop.signal)).outcome).to.include({
          reason: 'agent_stopping',
        });
      await silent.close();
    }),
  );

  it(
    'are released at once when the agent stops, in any step',
    leavesNothing(async () => {
      const stopping = {
        kind: 'inconclusive',
        reason: 'agent_stopping',
        message: 'The agent stopped before the check was finished.',
      };
      const dnsHangs = testProbes({ lookup: () => undefined });
      const probes = testProbes({ extraCertificates: [authority.rootPem] });
      plain.behave(hang);
      const silent = await startTarget({ behaviour: hang, onConnection: () => true });
      const stop = new AbortController();
      const running = [
        probes.run(httpCheck(plain.url, { timeoutMs: 60_000 }), stop.signal),
        probes.run(httpCheck(silent.url.replace('http:', 'https:'), { timeoutMs: 60_000 }), stop.signal),
        dnsHangs.run(httpCheck('http://shop.example/', { timeoutMs: 60_000 }), stop.signal),
      ];
      await new Promise((resolve) => setTimeout(resolve, 50));
      stop.abort();
      for (const report of await Promise.all(running)) expect(report.outcome).to.deep.equal(stopping);
      expect((await probes.run(httpCheck(plain.url), stop.signal)).outcome).to.deep.equal(stopping);
      probes.close();
      expect((await run(probes, plain.url)).outcome).to.deep.equal(stopping);
      await silent.close();
    }),
  );

  it('do not count against the target if the agent stood still', async () => {
    plain.behave(hang);
    const asked = plain.requests.length;
    const checked = run(bareProbes(), plain.url, { timeoutMs: 3_000 });
    await eventually('the request', () => plain.requests.length > asked || undefined, PATIENCE_MS, 5);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5_000);
    const { outcome } = await checked;
    expect(outcome).to.include({ kind: 'inconclusive', reason: 'agent_late' });
  });

  it('suffice for hundreds of simultaneous checks', async () => {
    const probes = testProbes({ extraCertificates: [authority.rootPem] });
    plain.behave(answer());
    secure.behave(answer());
    const signal = new AbortController().signal;
    const reports = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        probes.run(httpCheck(index % 3 === 0 ? secure.url : plain.url, { timeoutMs: 60_000 }), signal),
      ),
    );
    expect(new Set(reports.map((report) => report.outcome.kind))).to.deep.equal(new Set(['up']));
  });
});

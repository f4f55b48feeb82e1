import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createSecureServer, TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { decodeTarget, encodeTarget, type CheckKind, type ProbeTarget } from '@watchpost/shared/check';
import { grpcCheck } from '@watchpost/shared/checks/grpc';
import { sslCheck } from '@watchpost/shared/checks/ssl';
import { tcpUdpCheck } from '@watchpost/shared/checks/tcp-udp';
import { scriptBeforeTls, scriptOfPreset, START_TLS } from '@watchpost/shared/checks/tcp-script';
import { webSocketCheck } from '@watchpost/shared/checks/web-socket';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { createAuthority, type ServerCertificate } from '../../support/certificates.js';
import { testProbes } from './probe-check.js';

type Talk = (socket: Socket) => void;

const TIMEOUT_MS = 500;
const AT_ONCE = 12;

const onData =
  (answer: Talk): Talk =>
  (socket) =>
    void socket.once('data', () => answer(socket));
/** TLS has a socket below it, which alone could be reset. */
const resets: Talk = (socket) => void (socket instanceof TLSSocket ? socket.destroy() : socket.resetAndDestroy());
const sends =
  (bytes: string | Buffer): Talk =>
  (socket) =>
    void socket.write(bytes);
const sendsAndEnds =
  (bytes: string | Buffer): Talk =>
  (socket) =>
    void socket.end(bytes);
const endless =
  (bytes: string | Buffer): Talk =>
  (socket) => {
    const more = (): void => void (socket.destroyed || socket.write(bytes, () => setImmediate(more)));
    more();
  };
const slowly =
  (bytes: string): Talk =>
  (socket) => {
    const timer = setInterval(() => socket.write(bytes), 10);
    socket.on('close', () => clearInterval(timer));
  };
const hex = (digits: string) => Buffer.from(digits.replaceAll(' ', ''), 'hex');

/** What a server can do in place of an answer, whatever it is asked. None of it is an answer of any of these protocols. */
const WRONG: Readonly<Record<string, Talk>> = {
  'is silent': () => {},
  'closes at once': (socket) => socket.end(),
  'resets at once': resets,
  'closes when it is asked': onData((socket) => socket.end()),
  'resets when it is asked': onData(resets),
  'sends a byte and is silent': sends('2'),
  'sends a byte and closes': sendsAndEnds('2'),
  'sends a byte and resets': (socket) => void socket.write('2', () => resets(socket)),
  'sends letters one by one': slowly('z'),
  'sends zeros one by one': slowly('\0'),
  'sends lines one by one': slowly('\r\n'),
  'sends garbage': sends(Buffer.alloc(100, 0xfe)),
  'sends zeros': sends(Buffer.alloc(1_000)),
  'sends ones': sends(Buffer.alloc(1_000, 0xff)),
  'sends broken UTF-8': sends(hex('c328 a0a1 e28a f0 28 8c bc 0d0a')),
  'sends controls': sends('\u001b[2J\u0007\u0008\u202e\r\n'),
  'sends 200 KB': sends('x'.repeat(200_000)),
  'sends letters without end': endless('y'.repeat(9_999)),
  'sends zeros without end': endless(Buffer.alloc(9_999)),
  'sends lines without end': endless('\r\n'.repeat(5_000)),
  'sends an error of HTTP': sendsAndEnds('HTTP/1.1 400 Bad Request\r\n\r\n'),
  'sends a page of HTTP': sends('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  'sends headers of HTTP without end': (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\n');
    endless('A: b\r\n'.repeat(1_000))(socket);
  },
  'sends half a header': sendsAndEnds('HTTP/1.1 101 Sw'),
  'is SSH': sends('SSH-2.0-OpenSSH_9.2p1\r\n'),
  'is a mail server that refuses': sends('554 no\r\n'),
  'is a mail server that never comes to an end': (socket) => endless('220-a\r\n'.repeat(1_000))(socket),
  'sends an alert of TLS': sends(hex('1503030002 0228')),
  'sends half a record of TLS': sendsAndEnds(hex('160303 4000 02')),
  'sends settings of HTTP/2 alone': sends(hex('000000 04 00 00000000')),
  'sends a frame of HTTP/2 that is too large': sends(hex('ffffff 00 00 00000001')),
  'goes away in HTTP/2': sendsAndEnds(hex('000008 07 00 00000000 00000000 0000000b')),
  'closes a WebSocket that is not open': sendsAndEnds(hex('8802 03e8')),
  'is Redis': sends("-ERR unknown command 'GET'\r\n"),
  'sends back what it gets': (socket) => void socket.pipe(socket),
};

describe('a wrong answer', function () {
  const open = new Set<{ destroy(): void }>();
  const servers: Server[] = [];
  let certificates: Record<'sound' | 'stranger' | 'other' | 'expired', ServerCertificate>;
  let probes = testProbes();

  before(async () => {
    const authority = await createAuthority();
    const stranger = await createAuthority('Stranger');
    certificates = {
      sound: await authority.issue(),
      stranger: await stranger.issue(),
      other: await authority.issue({ names: ['other.example'] }),
      expired: await authority.issue({ notAfter: new Date(Date.now() - 86_400_000) }),
    };
    probes = testProbes({ extraCertificates: [authority.rootPem] });
  });
  after(() => {
    for (const socket of open) socket.destroy();
    for (const server of servers) server.close();
  });

  async function listen(talk: Talk, tls?: ServerCertificate): Promise<number> {
    const begin = (socket: Socket): void => {
      open.add(socket);
      socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy());
      talk(socket);
    };
    const server = tls ? createSecureServer({ cert: tls.cert, key: tls.key }, begin) : createServer(begin);
    server.on('tlsClientError', (_, socket) => socket.destroy());
    servers.push(server);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  }

  async function check(kind: CheckKind, target: ProbeTarget): Promise<ProbeReport> {
    const decoded = decodeTarget(kind, encodeTarget(target));
    return probes.run({ timeoutMs: TIMEOUT_MS, target: decoded }, new AbortController().signal);
  }

  const host = 'localhost';
  const grpc = (protocol: 'grpc' | 'grpcs') => (port: number) =>
    check('grpc', grpcCheck.target.parse({ protocol, host, port }));
  const webSocket = (protocol: 'ws' | 'wss') => (port: number) =>
    check('webSocket', webSocketCheck.target.parse({ url: `${protocol}://${host}:${port}/` }));
  const script = (preset: 'smtp' | 'imap') => (port: number) =>
    check('tcpUdp', tcpUdpCheck.target.parse({ protocol: 'tcp', host, port, script: scriptOfPreset(preset, port) }));
  const startTls = (protocol: (typeof START_TLS)[number]) => (port: number) =>
    check('ssl', sslCheck.target.parse({ host, port, prelude: scriptBeforeTls(protocol) }));

  const PLAIN: Readonly<Record<string, (port: number) => Promise<ProbeReport>>> = {
    grpc: grpc('grpc'),
    ws: webSocket('ws'),
    'the preset smtp': script('smtp'),
    'the preset imap': script('imap'),
    ...Object.fromEntries(START_TLS.map((protocol) => [`startTls of ${protocol}`, startTls(protocol)])),
  };
  const SECURE = { grpcs: grpc('grpcs'), wss: webSocket('wss') };

  /** Each is down by its deadline, with bounded evidence that can be stored. */
  async function expectDown(of: (port: number) => Promise<ProbeReport>, ports: readonly (readonly [string, number])[]) {
    const rest = ports.values();
    const work = async (): Promise<void> => {
      for (const [what, port] of rest) {
        const report = await of(port);
        expect(report.outcome.kind, `${what}: ${JSON.stringify(report.outcome)}`).to.equal('down');
        const text = JSON.stringify(report);
        expect(text.length, what).to.be.below(16_384);
        expect(text, what).to.not.include('\\u0000');
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  }

  it('has thirty kinds', () => expect(Object.keys(WRONG)).to.have.lengthOf.at.least(30));

  for (const [protocol, of] of Object.entries(PLAIN))
    it(`of any kind to ${protocol} is an outcome by the deadline`, async () => {
      const ports = Object.entries(WRONG).map(async ([what, talk]) => [what, await listen(talk)] as const);
      await expectDown(of, await Promise.all(ports));
    });

  for (const [protocol, of] of Object.entries(SECURE))
    it(`of any kind to ${protocol}, in plain text and over TLS, is an outcome by the deadline`, async () => {
      const ports = Object.entries(WRONG).flatMap(([what, talk]) => [
        listen(talk).then((port) => [what, port] as const),
        listen(talk, certificates.sound).then((port) => [`${what} over TLS`, port] as const),
      ]);
      for (const name of ['stranger', 'other', 'expired'] as const)
        ports.push(listen(() => {}, certificates[name]).then((port) => [`the certificate ${name}`, port] as const));
      await expectDown(of, await Promise.all(ports));
    });
});

import { createServer, type Server as TcpServer, type Socket } from 'node:net';
import { once } from 'node:events';
import { Server, ServerCredentials, status, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { checkTarget } from '@watchpost/control-plane/capabilities/monitors/checks/check-target';
import {
  decideChangedSettings,
  decideNewSettings,
} from '@watchpost/control-plane/capabilities/monitors/settings/decide-monitor-settings';
import { decodeTarget, encodeTarget } from '@watchpost/shared/check';
import type { GrpcTarget } from '@watchpost/shared/checks/grpc';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { expect } from 'chai';
import { createAuthority, type ServerCertificate } from '../../support/certificates.js';
import { END_HEADERS, END_STREAM, forever, frame, header, HEADERS, SETTINGS } from '../../support/http2-frames.js';
import { expectDown, expectUp, testProbes } from './probe-check.js';

type Answer = Buffer | Partial<ServiceError>;
const state = (number: number): Buffer => Buffer.from([0x08, number]);

describe('a gRPC service', () => {
  const open: { close(): void }[] = [];
  let certificate: ServerCertificate;
  let stranger: ServerCertificate;
  let probes = testProbes();
  before(async () => {
    const authority = await createAuthority();
    certificate = await authority.issue();
    stranger = await (await createAuthority('Stranger')).issue();
    probes = testProbes({ extraCertificates: [authority.rootPem] });
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  const check = (
    port: number,
    target: Partial<GrpcTarget> = {},
    timeoutMs = 5_000,
    signal = new AbortController().signal,
  ): Promise<ProbeReport> => {
    const given: GrpcTarget = {
      ...{ kind: 'grpc', protocol: 'grpc', host: '127.0.0.1', port, service: null, headers: [] },
      ...{ verifyCertificate: true, egress: 'monitor' },
      ...target,
    };
    return probes.run({ timeoutMs, target: decodeTarget('grpc', encodeTarget(given)) }, signal);
  };

  /** A server of grpc-js, with the health protocol unless there is no answer. */
  async function serve(answer?: (service: string, metadata: Metadata) => Answer, tls?: ServerCertificate) {
    const server = new Server();
    const bytes = (message: Buffer): Buffer => message;
    if (answer)
      server.addService(
        {
          check: {
            path: '/grpc.health.v1.Health/Check',
            ...{ requestStream: false, responseStream: false },
            ...{ requestSerialize: bytes, requestDeserialize: bytes },
            ...{ responseSerialize: bytes, responseDeserialize: bytes },
          },
        },
        {
          check: (
            call: { request: Buffer; metadata: Metadata },
            done: (error: Partial<ServiceError> | null, message?: Buffer) => void,
          ) => {
            const given = answer(call.request.subarray(2).toString(), call.metadata);
            if (Buffer.isBuffer(given)) done(null, given);
            else done(given);
          },
        },
      );
    const credentials = tls
      ? ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(tls.cert), private_key: Buffer.from(tls.key) }])
      : ServerCredentials.createInsecure();
    const port = await new Promise<number>((resolve, reject) => {
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound)));
    });
    open.push({ close: () => server.forceShutdown() });
    return port;
  }

  /** A server that writes what it wants as soon as a client has connected. */
  async function listen(onConnection: (socket: Socket) => void): Promise<number> {
    const sockets = new Set<Socket>();
    const server: TcpServer = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.once('data', () => onConnection(socket));
      socket.resume();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => (server.close(), sockets.forEach((socket) => socket.destroy())) });
    return (server.address() as { port: number }).port;
  }

  it('is up while it serves, in plain text and over TLS', async () => {
    const plain = await check(await serve(() => state(1)));
    expectUp(plain);
    expect(plain.timings.firstByteUs).to.be.above(0);
    expect(plain.timings.tlsUs).to.equal(0);
    const secure = await check(await serve(() => state(1), certificate), { protocol: 'grpcs', host: 'localhost' });
    expectUp(secure);
    expect(secure.timings.tlsUs).to.be.above(0);
  });

  const bytes = (hex: string): Buffer => Buffer.from(hex.replaceAll(' ', ''), 'hex');
  it('is up by any message with the state, whatever else it holds, and down by what is none', async () => {
    // More fields of each kind before and after it, a number in more bytes than it needs, and the last of several states.
    for (const answer of [
      '08 01 12 03 616263',
      '19 0102030405060708 25 01020304 28 96 01 08 01',
      '08 81 80 00',
      '08 02 08 01',
    ])
      expectUp(await check(await serve(() => bytes(answer))));
    const GARBLED = [
      '08',
      '0a 01 01',
      '08 01 12 ff 61',
      '12 03 61',
      '0f',
      '00 01',
      'ff ff ff ff ff ff ff ff ff ff ff',
      '23'.repeat(60_000),
    ];
    for (const answer of GARBLED)
      expectDown(
        await check(await serve(() => bytes(answer))),
        'content',
        'protocol_error',
        /holds no state of a service|more than 64 KiB/,
      );
  });

  it('is asked for by its name, with the metadata of the monitor', async () => {
    const name = `shop.v1.${'Orders'.repeat(40)}`;
    const asked: [string, unknown, unknown][] = [];
    const port = await serve((service, metadata) => {
      asked.push([service, metadata.get('x-shop')[0], metadata.get('user-agent')[0]]);
      return service.endsWith(name) ? state(1) : state(3);
    });
    const headers = [
      { name: 'X-Shop', value: 'a' },
      { name: 'Grpc-Timeout', value: '1m' },
    ];
    expectUp(await check(port, { service: name, headers }));
    expect(asked[0]![0]).to.contain(name);
    expect(asked[0]!.slice(1)).to.deep.equal(['a', 'Watchpost/9.9.9']);
  });

  it('is down while it does not serve, or is not known, or its state is none of these', async () => {
    const target = { service: 'shop.v1.Orders' };
    const sentences = [
      [state(2), 'reports that the service shop.v1.Orders is not serving.'],
      [state(3), 'does not know the service shop.v1.Orders.'],
      [{ code: status.NOT_FOUND }, 'does not know the service shop.v1.Orders.'],
      [Buffer.alloc(0), 'reports the state UNKNOWN of the service shop.v1.Orders.'],
      [state(9), 'reports the state 9 of the service shop.v1.Orders.'],
    ] as const;
    for (const [answer, sentence] of sentences) {
      const port = await serve(() => answer);
      const report = await check(port, target);
      expectDown(report, 'content', 'unexpected_answer', `The server at 127.0.0.1:${port} ${sentence}`);
      expect(report.answer).to.equal('complete');
      expect(report.answerDigest).to.be.a('number');
    }
    const port = await serve(() => state(2), certificate);
    const verified = await check(port, { protocol: 'grpcs', host: 'localhost' });
    expect(verified.answer).to.equal('verified');
    expectDown(verified, 'content', 'unexpected_answer', /reports that the server as a whole is not serving\.$/);
  });

  it('is inconclusive where the server has no health protocol, and the sentence names what to implement', async () => {
    const { outcome } = await check(await serve());
    expect(outcome).to.include({ kind: 'inconclusive', reason: 'unsupported' });
    expect(outcome).to.have.property('message').that.contains('Register the service grpc.health.v1.Health');
  });

  it('has the status and the message of a refusal, in which secrets are masked', async () => {
    const port = await serve((_service, metadata) => ({
      code: status.UNAUTHENTICATED,
      details: `no\u0000 such\n token: ${String(metadata.get('authorization')[0])}`,
    }));
    const report = await check(port, { headers: [{ name: 'Authorization', value: 'Bearer hunter2-hunter2' }] });
    expectDown(report, 'content', 'unexpected_answer', /: UNAUTHENTICATED \(“no\? such\? token: Bearer \*\*\*”\)\.$/);
    expect(JSON.stringify(report)).not.to.contain('hunter2');
    expect(report.evidence!.headers).to.include({ 'grpc-status': '16' });
  });

  it('is down where its certificate is not accepted, unless the monitor accepts any', async () => {
    const port = await serve(() => state(1), stranger);
    const target = { protocol: 'grpcs', host: 'localhost' } as const;
    const report = await check(port, target);
    expectDown(report, 'tls', 'certificate_invalid', /is not a trusted authority\.$/);
    expect(report.evidence!.certificate!.subjectAltNames).not.to.equal(undefined);
    expectUp(await check(port, { ...target, verifyCertificate: false }));
  });

  it('is not connected to where the egress policy does not allow its address', async () => {
    const port = await serve(() => state(1));
    const { outcome } = await check(port, { egress: 'public' });
    expect(outcome).to.include({ kind: 'down', reason: 'address_not_allowed' });
  });

  it('is down where something else listens, is silent, or hangs up', async () => {
    const web = await listen((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const report = await check(web);
    expectDown(report, 'firstByte', 'protocol_error', /is not HTTP\/2: it is HTTP\/1\.$/);
    expect(report.evidence!.received).to.contain('400 Bad Request');
    const silent = await listen(() => {});
    expectDown(await check(silent, {}, 300), 'firstByte', 'timeout', /within 0\.3 s\.$/);
    const half = frame(HEADERS, END_HEADERS, 1, Buffer.concat([header(':status', '200'), header('x-a', 'b')]));
    const begins = await listen((socket) => socket.write(Buffer.concat([SETTINGS, half, frame(0, 0, 1, state(1))])));
    expectDown(await check(begins, {}, 2_000), 'transfer', 'timeout', /not complete within 2 s; 2 bytes of its body/);
    const hangsUp = await listen((socket) => socket.end());
    expectDown(await check(hangsUp), 'firstByte', 'connection_reset', /without an answer/);
    const resets = await listen((socket) => socket.resetAndDestroy());
    expectDown(await check(resets), 'firstByte', 'connection_reset', /without an answer/);
    const stop = AbortSignal.abort();
    expect((await check(silent, {}, 5_000, stop)).outcome).to.include({ reason: 'agent_stopping' });
  });

  describe('that is hostile', () => {
    const grpc = Buffer.concat([header(':status', '200'), header('content-type', 'application/grpc')]);
    const opened = Buffer.concat([SETTINGS, frame(HEADERS, END_HEADERS, 1, grpc)]);
    const long = header('grpc-message', 'x'.repeat(1_000_000));
    const parts = Array.from({ length: Math.ceil(long.length / 16_000) }, (_, at) =>
      long.subarray(at * 16_000, (at + 1) * 16_000),
    );
    const ATTACKS: Readonly<Record<string, (socket: Socket) => void>> = {
      'headers without end': (socket) => {
        socket.write(Buffer.concat([SETTINGS, frame(HEADERS, 0, 1, grpc)]));
        forever(socket, frame(9, 0, 1, header('x-a', 'b'.repeat(200))));
      },
      'interim answers without end': (socket) => {
        socket.write(SETTINGS);
        forever(socket, frame(HEADERS, END_HEADERS, 1, header(':status', '103')));
      },
      'a body without end': (socket) => {
        socket.write(opened);
        forever(socket, frame(0, 0, 1, Buffer.alloc(16_000)));
      },
      'pings without end': (socket) => {
        socket.write(opened);
        forever(socket, Buffer.concat(Array.from({ length: 100 }, () => frame(6, 0, 0, Buffer.alloc(8)))));
      },
      'unknown frames without end': (socket) => {
        socket.write(opened);
        forever(socket, frame(200, 0, 0, Buffer.alloc(16_000)));
      },
      'a frame that is too large': (socket) =>
        socket.write(Buffer.concat([opened, frame(0, 0, 1, Buffer.alloc(60_000))])),
      'a message of 1 MB': (socket) => {
        socket.write(opened);
        parts.forEach((part, at) =>
          socket.write(
            frame(
              at === 0 ? HEADERS : 9,
              (at === 0 ? END_STREAM : 0) | (at === parts.length - 1 ? END_HEADERS : 0),
              1,
              part,
            ),
          ),
        );
      },
      'a trailer with NUL': (socket) => {
        const trailers = Buffer.concat([header('grpc-status', '2'), header('grpc-message', 'a\u0000b')]);
        socket.write(Buffer.concat([opened, frame(HEADERS, END_STREAM | END_HEADERS, 1, trailers)]));
      },
      'a GOAWAY': (socket) => {
        socket.write(Buffer.concat([SETTINGS, frame(7, 0, 0, Buffer.from([0, 0, 0, 0, 0, 0, 0, 11]))]));
      },
      'a reset of the stream': (socket) => {
        socket.write(Buffer.concat([SETTINGS, frame(3, 0, 1, Buffer.from([0, 0, 0, 7]))]));
      },
      'compressed headers that are broken': (socket) => {
        socket.write(
          Buffer.concat([SETTINGS, frame(HEADERS, END_HEADERS, 1, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]))]),
        );
      },
      'a status that is no number': (socket) => {
        const trailers = header('grpc-status', 'fine');
        socket.write(Buffer.concat([opened, frame(HEADERS, END_STREAM | END_HEADERS, 1, trailers)]));
      },
      'a message that is none': (socket) => {
        const trailers = header('grpc-status', '0');
        const body = frame(0, 0, 1, Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 8, 1]));
        socket.write(Buffer.concat([opened, body, frame(HEADERS, END_STREAM | END_HEADERS, 1, trailers)]));
      },
      'a web page': (socket) => {
        const page = Buffer.concat([header(':status', '404'), header('content-type', 'text/html')]);
        socket.write(Buffer.concat([SETTINGS, frame(HEADERS, END_STREAM | END_HEADERS, 1, page)]));
      },
    };

    for (const [what, attack] of Object.entries(ATTACKS)) {
      it(`is down at once, with bounded evidence, after ${what}`, async () => {
        const report = await check(await listen(attack), {}, 30_000);
        expect(report.outcome).to.include({ kind: 'down' });
        expect(report.outcome).to.have.property('reason').that.is.not.equal('timeout');
        const text = JSON.stringify(report);
        expect(text.length).to.be.below(8_192);
        expect(text).not.to.contain('\\u0000');
      });
    }
  });
});

describe('a monitor of type Grpc', () => {
  const made = decideNewSettings({
    url: 'grpcs://api.shop.example:443',
    monitorTypes: ['Grpc'],
    grpc: { service: 'shop.v1.Orders', metadata: { Authorization: 'Bearer hunter2', 'X-Shop': 'a' } },
  });

  it('has the secrets of its metadata apart, which only its check contains', () => {
    expect(made.faults).to.deep.equal([]);
    expect(made.settings.grpc.metadata).to.deep.equal({ Authorization: '***', 'X-Shop': 'a' });
    expect(made.secrets).to.deep.equal({ 'grpc.metadata': { authorization: 'Bearer hunter2' } });
    expect(checkTarget('grpc', made.settings.url, made.settings, () => made.secrets)).to.deep.equal({
      ...{ kind: 'grpc', protocol: 'grpcs', host: 'api.shop.example', port: 443, service: 'shop.v1.Orders' },
      headers: [
        { name: 'Authorization', value: 'Bearer hunter2' },
        { name: 'X-Shop', value: 'a' },
      ],
      ...{ verifyCertificate: true, egress: 'monitor' },
    });
  });

  it('does not send them to another host, or without TLS', () => {
    for (const url of ['grpcs://other.example:443', 'grpc://api.shop.example:443'])
      expect(decideChangedSettings(made.settings, made.secrets, { url }).faults.map(({ path }) => path)).to.deep.equal([
        'grpc.metadata.Authorization',
      ]);
  });
});

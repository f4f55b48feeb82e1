import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { checkTarget } from '@watchpost/control-plane/capabilities/monitors/checks/check-target';
import { decodeTarget, encodeTarget } from '@watchpost/shared/check';
import { webSocketCheck, type WebSocketTarget } from '@watchpost/shared/checks/web-socket';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { expect } from 'chai';
import { createAuthority, type ServerCertificate } from '../../support/certificates.js';
import { expectDown, expectUp, testProbes } from './probe-check.js';

const OP = { more: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 };

/** A frame of a server; `first` and `mask` make it wrong. */
function frame(opcode: number, payload: Buffer | string = '', { first = 0x80, mask = 0 } = {}): Buffer {
  const bytes = Buffer.from(payload);
  const length = bytes.length < 126 ? [bytes.length] : [bytes.length > 0xffff ? 127 : 126, ...wide(bytes.length)];
  length[0]! |= mask;
  return Buffer.concat([Buffer.from([first | opcode, ...length]), bytes]);
}

function wide(length: number): number[] {
  const bytes = Buffer.alloc(length > 0xffff ? 8 : 2);
  if (bytes.length === 8) bytes.writeBigUInt64BE(BigInt(length));
  else bytes.writeUInt16BE(length);
  return [...bytes];
}

/** The payload of a frame of a client, which must be masked. */
function unmask(bytes: Buffer): { opcode: number; text: string } {
  expect(bytes[1]! & 0x80, 'masked').to.equal(0x80);
  const short = bytes[1]! & 0x7f;
  const start = short === 126 ? 4 : 2;
  const length = short === 126 ? bytes.readUInt16BE(2) : short;
  const mask = bytes.subarray(start, start + 4);
  const payload = Buffer.from(bytes.subarray(start + 4, start + 4 + length)).map((byte, at) => byte ^ mask[at % 4]!);
  return { opcode: bytes[0]! & 0x0f, text: Buffer.from(payload).toString() };
}

describe('a WebSocket', () => {
  const open: { close(): void }[] = [];
  let certificate: ServerCertificate;
  let probes = testProbes();
  before(async () => {
    const authority = await createAuthority();
    certificate = await authority.issue();
    probes = testProbes({ extraCertificates: [authority.rootPem] });
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  const check = (url: string, target: Partial<WebSocketTarget> = {}, timeoutMs = 5_000): Promise<ProbeReport> => {
    const given = webSocketCheck.target.parse({ url, ...target });
    const decoded = decodeTarget('webSocket', encodeTarget(given));
    return probes.run({ timeoutMs, target: decoded }, new AbortController().signal);
  };

  type OnUpgrade = (socket: Duplex, accept: string[], request: IncomingMessage) => void;

  /** A server that gets each request for a WebSocket with the lines that accept it. */
  async function serve(onUpgrade: OnUpgrade, tls?: ServerCertificate): Promise<string> {
    const server = tls ? createSecureServer({ cert: tls.cert, key: tls.key }) : createServer();
    const sockets = new Set<Duplex>();
    server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      const proof = createHash('sha1')
        .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest('base64');
      const accept = ['Upgrade: websocket', 'Connection: Upgrade', `Sec-WebSocket-Accept: ${proof}`];
      onUpgrade(socket, accept, request);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => (server.close(), sockets.forEach((socket) => socket.destroy())) });
    return `${tls ? 'wss://localhost' : 'ws://127.0.0.1'}:${(server.address() as AddressInfo).port}`;
  }

  const upgraded = (lines: string[]) => `HTTP/1.1 101 Switching Protocols\r\n${lines.join('\r\n')}\r\n\r\n`;
  /** A server that accepts, and then sends these parts. */
  const sends = (...parts: Buffer[]) =>
    serve((socket, accept) => {
      socket.write(Buffer.concat([Buffer.from(upgraded(accept)), ...parts]));
    });

  it('is up when it opens, in plain text and over TLS, with path, query and headers', async () => {
    const asked: IncomingMessage[] = [];
    const accepts: OnUpgrade = (socket, accept, request) => {
      asked.push(request);
      socket.write(upgraded(accept));
    };
    const plain = await check(`${await serve(accepts)}/feed?room=1`, {
      headers: [
        { name: 'X-Shop', value: 'a' },
        { name: 'Sec-WebSocket-Extensions', value: 'permessage-deflate' },
      ],
    });
    expectUp(plain);
    expect(plain.statusCode).to.equal(101);
    const secure = await check(await serve(accepts, certificate));
    expectUp(secure);
    expect(secure.timings.tlsUs).to.be.above(0);
    expect(asked[0]!.url).to.equal('/feed?room=1');
    expect(asked[0]!.headers).to.include({
      'x-shop': 'a',
      'sec-websocket-version': '13',
      'user-agent': 'Watchpost/9.9.9',
    });
    expect(asked[0]!.headers).to.not.have.property('sec-websocket-extensions');
  });

  it('is sent a masked message, and is up when a message holds what is expected', async () => {
    const got: { opcode: number; text: string }[] = [];
    const echo: OnUpgrade = (socket, accept) => {
      socket.write(upgraded(accept));
      socket.once('data', (bytes: Buffer) => {
        got.push(unmask(bytes));
        socket.write(frame(OP.text, 'hello'));
        // In two frames, with a control frame between them, in single bytes.
        const message = [frame(OP.text, '{"type":"po', { first: 0 }), frame(OP.ping, 'x'), frame(OP.more, 'ng"}')];
        for (const byte of Buffer.concat(message)) socket.write(Buffer.from([byte]));
      });
    };
    const url = await serve(echo);
    const long = `{"type":"ping","filler":"${'é'.repeat(200)}"}`;
    expectUp(await check(url, { send: long, expect: '"type":"pong"' }));
    expectUp(await check(url, { send: 'hex:70 69', expect: 'hex: 70 6f 6e 67' }));
    expect(got).to.deep.equal([
      { opcode: OP.text, text: long },
      { opcode: OP.binary, text: 'pi' },
    ]);
  });

  it('is answered when it pings, and is closed in good order', async () => {
    const frames: { opcode: number; text: string }[] = [];
    let ended: Promise<unknown> | undefined;
    const url = await serve((socket, accept) => {
      socket.write(Buffer.concat([Buffer.from(upgraded(accept)), frame(OP.ping, 'are you there')]));
      socket.on('data', (bytes: Buffer) => {
        frames.push(unmask(bytes));
        if (frames.length === 1) socket.write(frame(OP.text, 'fine'));
      });
      ended = once(socket, 'end');
    });
    expectUp(await check(url, { expect: 'fine' }));
    await ended;
    expect(frames[0]).to.deep.equal({ opcode: OP.pong, text: 'are you there' });
    expect(frames[1]!.opcode).to.equal(OP.close);
  });

  it('is down where the server answers the request without opening it', async () => {
    const server = createServer((_request, response) => response.writeHead(503, { 'x-why': 'busy' }).end('no'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => server.close() });
    const { port } = server.address() as AddressInfo;
    const report = await check(`ws://127.0.0.1:${port}/`);
    expectDown(
      report,
      'firstByte',
      'unexpected_status',
      `The server at 127.0.0.1:${port} answered the request for a WebSocket with status 503 Service Unavailable where 101 was expected.`,
    );
    expect(report.evidence?.headers).to.include({ 'x-why': 'busy' });
    expect([report.statusCode, report.answer]).to.deep.equal([503, 'complete']);
  });

  it('is down where the handshake is not valid', async () => {
    const cases: [string[] | ((accept: string[]) => string[]), string][] = [
      [['Upgrade: h2c', 'Connection: Upgrade'], 'its Upgrade header is not websocket'],
      [(accept) => [accept[0]!, 'Connection: keep-alive', accept[2]!], 'its Connection header is not Upgrade'],
      [['Upgrade: websocket', 'Connection: Upgrade'], 'its Sec-WebSocket-Accept does not fit the request'],
      [
        (accept) => [...accept.slice(0, 2), 'Sec-WebSocket-Accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA='],
        'its Sec-WebSocket-Accept does not fit the request',
      ],
      [
        (accept) => [...accept, 'Sec-WebSocket-Extensions: permessage-deflate'],
        'it uses the extension permessage-deflate, which was not offered',
      ],
      [(accept) => accept, 'it does not take the subprotocol chat'],
      [(accept) => [...accept, 'Sec-WebSocket-Protocol: mqtt'], 'it takes the subprotocol mqtt, which was not offered'],
    ];
    for (const [lines, why] of cases) {
      const url = await serve((socket, accept) => {
        socket.write(upgraded(typeof lines === 'function' ? lines(accept) : lines));
      });
      const report = await check(url, { subprotocol: 'chat' });
      expectDown(
        report,
        'firstByte',
        'protocol_error',
        `The answer from ${url.slice('ws://'.length)} to the request for a WebSocket is not valid: ${why}.`,
      );
    }
  });

  it('takes the subprotocol that it asked for', async () => {
    const url = await serve((socket, accept, { headers }) => {
      socket.write(upgraded([...accept, `Sec-WebSocket-Protocol: ${headers['sec-websocket-protocol']}`]));
    });
    expectUp(await check(url, { subprotocol: 'graphql-transport-ws' }));
  });

  it('is down where frames violate the protocol', async () => {
    const cases: [Buffer, string][] = [
      [frame(OP.text, 'abcdhello', { mask: 0x80 }), 'a frame of the server is masked'],
      [frame(OP.text, Buffer.from([0xc3, 0x28])), 'a text message is not valid UTF-8'],
      [frame(OP.text, 'x', { first: 0xc0 }), 'a frame uses an extension that was not offered'],
      [frame(3, 'x'), 'a frame has the unknown opcode 3'],
      [frame(OP.more, 'x'), 'a frame continues a message that was not begun'],
      [
        Buffer.concat([frame(OP.text, 'x', { first: 0 }), frame(OP.text, 'y')]),
        'a message begins before the last one has ended',
      ],
      [frame(OP.ping, 'x'.repeat(126)), 'a control frame is fragmented, or longer than 125 bytes'],
      [frame(OP.ping, 'x', { first: 0 }), 'a control frame is fragmented, or longer than 125 bytes'],
      [Buffer.from([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0]), 'the length of a frame is negative'],
      [frame(OP.close, Buffer.from([3])), 'its close frame has no valid code and reason'],
      [frame(OP.close, Buffer.from([3, 0xed])), 'its close frame has no valid code and reason'],
    ];
    for (const [bytes, why] of cases) {
      const url = await sends(bytes);
      const report = await check(url, { expect: 'never' });
      expectDown(
        report,
        'transfer',
        'protocol_error',
        `The server at ${url.slice('ws://'.length)} violates the protocol of WebSockets: ${why}.`,
      );
      expect(report.evidence?.received, why).to.be.a('string');
    }
  });

  it('is down where no message holds what is expected: closed, cut, late, or too much else', async () => {
    const closed = await check(await sends(frame(OP.text, 'bye'), frame(OP.close, Buffer.from([3, 0xe9]))), {
      expect: 'pong',
    });
    expectDown(
      closed,
      'content',
      'unexpected_answer',
      /closed the WebSocket \(1001\) before a message contained “pong”/,
    );
    const cut = await serve((socket, accept) => {
      socket.end(Buffer.concat([Buffer.from(upgraded(accept)), frame(OP.text, 'po'), Buffer.from([0x81, 4, 0x70])]));
    });
    expectDown(await check(cut, { expect: 'pong' }), 'transfer', 'connection_reset', /ended before a message/);
    // In one message, and not over two.
    const late = await check(await sends(frame(OP.text, 'po'), frame(OP.text, 'ng')), { expect: 'pong' }, 300);
    expectDown(
      late,
      'transfer',
      'timeout',
      /sent 2 messages over the WebSocket and, within 0.3 s, none that contains “pong”/,
    );
    const much = await check(await sends(frame(OP.binary, Buffer.alloc(70_000))), { expect: 'pong' });
    expectDown(
      much,
      'content',
      'unexpected_answer',
      /sent 64 KiB over the WebSocket, and no message that contains “pong”/,
    );
  });

  it('is down, and never waits beyond the deadline, whatever a server sends in place of an answer', async () => {
    const listen = async (onData: (socket: Socket) => void): Promise<number> => {
      const sockets = new Set<Socket>();
      const server = createTcpServer((socket) => {
        sockets.add(socket);
        socket.on('error', () => socket.destroy());
        socket.once('data', () => onData(socket));
      });
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      open.push({ close: () => (server.close(), sockets.forEach((socket) => socket.destroy())) });
      return (server.address() as AddressInfo).port;
    };
    const cases: [(socket: Socket) => void, string][] = [
      [(socket) => socket.write('SSH-2.0-x\r\n'), 'protocol_error'],
      [(socket) => socket.write(`HTTP/1.1 101 X\r\n${'A: b\r\n'.repeat(20_000)}`), 'protocol_error'],
      [(socket) => socket.write('HTTP/1.1 100 Continue\r\n\r\n'.repeat(30)), 'protocol_error'],
      [(socket) => socket.end(), 'protocol_error'],
      [(socket) => socket.resetAndDestroy(), 'connection_reset'],
      [(socket) => socket.write('HTTP/1.1 101 Sw'), 'timeout'],
      [() => {}, 'timeout'],
    ];
    for (const [behave, reason] of cases) {
      const { outcome } = await check(`ws://127.0.0.1:${await listen(behave)}/`, {}, 400);
      expect(outcome, String(behave)).to.include({ kind: 'down', reason });
    }
    const half = `ws://127.0.0.1:${await listen((socket) => socket.write('HTTP/1.1 101 Sw'))}/`;
    expectDown(await check(half, {}, 2_000), 'firstByte', 'timeout', /began to answer, and did not send all headers/);
  });

  it('shows no secret of its headers where the server repeats it', async () => {
    const secret = 'Bearer s3cr3t-t0k3n';
    const url = await serve((socket, accept, { headers }) => {
      socket.write(Buffer.concat([Buffer.from(upgraded(accept)), frame(OP.text, `denied ${headers.authorization}`)]));
    });
    const report = await check(url, { headers: [{ name: 'Authorization', value: secret }], expect: 'pong' }, 400);
    expect(report.outcome.kind).to.equal('down');
    expect(JSON.stringify(report)).to.not.include('s3cr3t').and.to.include('denied');
  });

  it('is made of the URL and the settings of its monitor', () => {
    const settings = { webSocket: { headers: { 'X-Shop': 'a' }, subprotocol: null, send: 'a', expect: null } };
    expect(checkTarget('webSocket', 'wss://shop.example/feed', settings, () => ({}))).to.deep.equal(
      webSocketCheck.target.parse({
        url: 'wss://shop.example/feed',
        headers: [{ name: 'X-Shop', value: 'a' }],
        send: 'a',
      }),
    );
    expect(checkTarget('webSocket', 'https://shop.example/', settings, () => ({}))).to.equal(null);
  });
});

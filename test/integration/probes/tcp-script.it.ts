import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createSecureContext, TLSSocket } from 'node:tls';
import { SMTPServer } from 'smtp-server';
import { checkTarget } from '@watchpost/control-plane/capabilities/monitors/checks/check-target';
import { TYPE_SETTINGS } from '@watchpost/control-plane/capabilities/monitors/settings/type-settings-schemas';
import { decodeTarget, encodeTarget } from '@watchpost/shared/check';
import { sslCheck } from '@watchpost/shared/checks/ssl';
import {
  SCRIPT_PRESETS,
  scriptBeforeTls,
  type ScriptPreset,
  type ScriptStep,
} from '@watchpost/shared/checks/tcp-script';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { expect } from 'chai';
import { createAuthority, type ServerCertificate } from '../../support/certificates.js';
import { createBlankDatabase } from '../../support/database.js';
import { needRedis, startTestRedis } from '../../support/redis.js';
import { expectDown, expectUp, testProbes } from './probe-check.js';

describe('a script over TCP', () => {
  const open: { close(): void }[] = [];
  let certificate: ServerCertificate;
  let strange: ServerCertificate;
  let another: ServerCertificate;
  let probes = testProbes();
  before(async () => {
    const authority = await createAuthority();
    certificate = await authority.issue();
    another = await authority.issue({ names: ['other.example'] });
    strange = await (await createAuthority('Stranger')).issue();
    probes = testProbes({ extraCertificates: [authority.rootPem] });
  });
  afterEach(() => {
    for (const one of open.splice(0)) one.close();
  });

  async function listening(server: Server): Promise<number> {
    const sockets = new Set<Socket>();
    server.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    open.push({ close: () => (server.close(), sockets.forEach((socket) => socket.destroy())) });
    return (server.address() as AddressInfo).port;
  }
  const serve = (talk: (socket: Socket) => void) => listening(createServer(talk));
  /** A server that greets, and answers each line that it gets. */
  const lines = (greeting: string, answer: (line: string, socket: Socket) => string | null) =>
    serve((socket) => {
      socket.write(greeting);
      socket.on('data', (data: Buffer) => {
        for (const line of data.toString('latin1').split('\r\n').filter(Boolean)) {
          const reply = answer(line, socket);
          if (reply !== null) socket.write(reply);
        }
      });
    });
  /** Goes on over TLS; `first` is sent in it. */
  const turnToTls = (socket: Socket, own = certificate, first = '', answer: (line: string) => string = () => '') => {
    socket.removeAllListeners('data');
    const secureContext = createSecureContext({ cert: own.cert, key: own.key });
    const secured = new TLSSocket(socket, { isServer: true, secureContext });
    secured.on('error', () => socket.destroy());
    secured.on('data', (data: Buffer) => secured.write(answer(data.toString())));
    if (first !== '') secured.write(first);
  };

  const signal = new AbortController().signal;
  const check = (port: number, script: readonly ScriptStep[], timeoutMs = 5_000, host = 'localhost') => {
    const tcpUdp = { ...TYPE_SETTINGS.tcpUdp.defaults, script: [...script] };
    const target = checkTarget('tcpUdp', `tcp://${host}:${port}`, { tcpUdp }, () => ({}))!;
    return probes.run({ timeoutMs, target: decodeTarget('tcpUdp', encodeTarget(target)) }, signal);
  };
  const preset = (port: number, of: ScriptPreset, timeoutMs = 5_000): Promise<ProbeReport> => {
    const tcpUdp = { ...TYPE_SETTINGS.tcpUdp.defaults, preset: of };
    const target = checkTarget('tcpUdp', `tcp://127.0.0.1:${port}`, { tcpUdp }, () => ({}))!;
    return probes.run({ timeoutMs, target: decodeTarget('tcpUdp', encodeTarget(target)) }, signal);
  };

  const EHLO = { send: 'EHLO me\r\n' };
  const TO_TLS: ScriptStep[] = [
    { expect: '^220 ' },
    { send: 'STARTTLS\r\n' },
    { expect: '(?m)^220 ' },
    { startTls: true },
  ];
  const OVER_TLS: ScriptStep[] = [...TO_TLS, EHLO, { expect: '^250 secure' }];

  it('is up when each step is answered, however the answers are cut', async () => {
    const port = await serve((socket) => {
      socket.write('220-hello\r\n22');
      setImmediate(() => socket.write('0 there\r\n'));
      socket.on('data', () => '250-a\r\n250 b\r\n'.split('').forEach((byte) => socket.write(byte)));
    });
    const report = await check(port, [{ expect: '(?m)^220 ' }, EHLO, { expect: '(?m)^250 b' }, { expectHex: '0D 0a' }]);
    expectUp(report);
    expect(report.timings.firstByteUs).to.be.above(0);
  });

  it('compares only what came since the last step that sent', async () => {
    const port = await lines('READY\r\n', () => 'DONE\r\n');
    expectUp(await check(port, [{ expect: 'READY' }, { send: 'x\r\n' }, { expect: '^DONE' }]));
    const report = await check(port, [{ expect: 'READY' }, { send: 'x\r\n' }, { expect: 'READY' }], 300);
    expectDown(
      report,
      'transfer',
      'timeout',
      /sent “DONE” and, within 0\.3 s, nothing that step 3 expects: the pattern “READY”\.$/,
    );
  });

  it('sends bytes, and compares bytes that are no text', async () => {
    const port = await serve((socket) =>
      socket.on('data', (data: Buffer) => socket.write(Buffer.from([0xff, data[1]!, 0]))),
    );
    const steps = [{ send: 'hex:00 c3' }, { expect: '^\\xff\\xc3\\x00$' }, { expectHex: 'ffc3' }];
    expectUp(await check(port, steps));
  });

  it('goes on over TLS with a trusted certificate', async () => {
    const port = await lines('220 plain\r\n', (_, socket) => {
      socket.write('220 go\r\n', () => turnToTls(socket, certificate, '', () => '250 secure\r\n'));
      return null;
    });
    const report = await check(port, OVER_TLS);
    expectUp(report);
    expect(report.timings.tlsUs).to.be.above(0);
  });

  const wrong: [what: string, server: () => Promise<number>, script: ScriptStep[], message: RegExp][] = [];
  const fails = (what: string, server: () => Promise<number>, script: ScriptStep[], message: RegExp) =>
    wrong.push([what, server, script, message]);
  const greeting: ScriptStep[] = [{ expect: '^220 ' }];
  fails('sends nothing', () => serve(() => {}), greeting, /within 1\.5 s, nothing that step 1/);
  fails('closes at once', () => serve((s) => s.end()), greeting, /closed the connection without sending/);
  fails('resets at once', () => serve((s) => s.resetAndDestroy()), greeting, /reset the connection|without sending/);
  fails('closes within its greeting', () => serve((s) => s.end('22')), greeting, /sent “22” and closed/);
  fails('greets with another code', () => lines('554 no\r\n', () => null), greeting, /“554 no”.*step 1/);
  fails('greets and closes', () => serve((s) => s.end('554 no\r\n')), greeting, /“554 no” and closed/);
  fails('greets without its line end', () => lines('220', () => null), [{ expect: '^220 [^\\n]*\\n' }], /“220”/);
  fails('sends garbage', () => serve((s) => s.write(Buffer.alloc(100, 0xfe))), greeting, /hex:fefe/);
  fails('sends zeros', () => serve((s) => s.write(Buffer.alloc(1_000))), greeting, /hex:0000/);
  fails('speaks HTTP', () => lines('HTTP/1.1 400 Bad Request\r\n\r\n', () => null), greeting, /HTTP\/1\.1 400/);
  fails(
    'sends too much',
    () => serve((s) => s.write('x'.repeat(200_000))),
    greeting,
    /sent 64 KiB, and nothing that step 1/,
  );
  fails(
    'sends without end',
    () =>
      serve((s) => {
        const more = () => void (s.destroyed || s.write('y'.repeat(9_999), more));
        more();
      }),
    greeting,
    /sent 64 KiB|too much work/,
  );
  fails(
    'sends what takes too much work',
    () =>
      serve((s) => {
        const timer = setInterval(() => s.write('a'.repeat(900)), 2);
        s.on('close', () => clearInterval(timer));
      }),
    [{ expect: '(?:a?){300}b$' }],
    /too much work|64 KiB|within 1\.5 s/,
  );
  fails(
    'sends bytes one by one',
    () =>
      serve((s) => {
        const timer = setInterval(() => s.write('z'), 1);
        s.on('close', () => clearInterval(timer));
      }),
    greeting,
    /within 1\.5 s, nothing that step 1/,
  );
  fails('never answers', () => lines('220 hi\r\n', () => null), [...greeting, EHLO, { expect: '250' }], /step 3/);
  fails(
    'answers with a refusal',
    () => lines('220 hi\r\n', () => '502 no\r\n'),
    [...greeting, EHLO, { expect: '^250' }],
    /“502 no”/,
  );
  fails(
    'closes where it should answer',
    () => lines('220 hi\r\n', (_, s) => (s.end(), null)),
    [...greeting, EHLO, { expect: '250' }],
    /sent nothing and closed/,
  );
  fails(
    'answers half',
    () => lines('220 hi\r\n', (_, s) => (s.end('25'), null)),
    [...greeting, EHLO, { expect: '250' }],
    /sent “25” and closed/,
  );
  fails(
    'answers other bytes',
    () => lines('220 hi\r\n', () => 'abc'),
    [...greeting, EHLO, { expectHex: '00' }],
    /step 3 expects: hex:00/,
  );
  fails('refuses TLS', () => lines('220 hi\r\n', () => '454 no\r\n'), OVER_TLS, /“454 no”/);
  fails(
    'agrees to TLS and is silent',
    () => lines('220 hi\r\n', (_, s) => (s.removeAllListeners('data'), s.resume(), '220 go\r\n')),
    OVER_TLS,
    /TLS handshake .* within 1\.5 s/,
  );
  fails('agrees to TLS and closes', () => lines('220 hi\r\n', (_, s) => (s.end('220 go\r\n'), null)), OVER_TLS, /TLS/);
  fails(
    'agrees to TLS and sends text',
    () =>
      lines(
        '220 hi\r\n',
        (_, s) => (
          s.write('220 go\r\n'),
          s.removeAllListeners('data'),
          s.once('data', () => s.write('250 secure\r\n')),
          null
        ),
      ),
    OVER_TLS,
    /does not speak TLS/,
  );
  fails(
    'sends more with its agreement',
    () => lines('220 hi\r\n', () => '220 go\r\n250 secure\r\n'),
    OVER_TLS,
    /sent “250 secure” in plain text before the TLS handshake/,
  );
  fails(
    'sends more with its agreement, and speaks TLS',
    () => lines('220 hi\r\n', (_, s) => (s.write('220 go\r\n250 secure\r\n', () => turnToTls(s)), null)),
    OVER_TLS,
    /sent “250 secure” in plain text/,
  );
  fails(
    'sends more in the line of its agreement',
    () => lines('220 hi\r\n', (_, s) => (s.write('220 go\r\nx', () => turnToTls(s)), null)),
    OVER_TLS,
    /sent “x” in plain text/,
  );
  fails(
    'sends before TLS that comes first',
    () => lines('220 hi\r\n', () => null),
    [{ startTls: true }, ...greeting],
    /does not speak TLS|in plain text/,
  );
  fails(
    'has a certificate of a stranger',
    () => lines('220 hi\r\n', (_, s) => (s.write('220 go\r\n', () => turnToTls(s, strange)), null)),
    OVER_TLS,
    /certificate of localhost/,
  );
  fails(
    'has a certificate for another host',
    () => lines('220 hi\r\n', (_, s) => (s.write('220 go\r\n', () => turnToTls(s, another)), null)),
    OVER_TLS,
    /not for localhost, but for other\.example/,
  );
  fails(
    'sends over TLS what it should not',
    () =>
      lines(
        '220 hi\r\n',
        (_, s) => (s.write('220 go\r\n', () => turnToTls(s, certificate, '', () => '550 no\r\n')), null),
      ),
    OVER_TLS,
    /“550 no”.*step 6/,
  );
  fails(
    'is silent over TLS',
    () => lines('220 hi\r\n', (_, s) => (s.write('220 go\r\n', () => turnToTls(s)), null)),
    OVER_TLS,
    /step 6/,
  );

  it('knows thirty kinds of wrong answer', () => expect(wrong).to.have.lengthOf.at.least(30));
  for (const [what, server, steps, message] of wrong)
    it(`is down, within the timeout, where the service ${what}`, async () => {
      const report = await check(await server(), steps, 1_500);
      expect(report.outcome).to.include({ kind: 'down' });
      expect(report.outcome.kind === 'down' && report.outcome.message).to.match(message);
    });

  it('ends at once where the agent stops', async () => {
    const stop = new AbortController();
    const target = decodeTarget(
      'tcpUdp',
      JSON.stringify({ protocol: 'tcp', host: '127.0.0.1', port: await serve(() => {}), script: greeting }),
    );
    const report = probes.run({ timeoutMs: 60_000, target }, stop.signal);
    setImmediate(() => stop.abort());
    expect((await report).outcome).to.include({ kind: 'inconclusive', reason: 'agent_stopping' });
  });

  const banner = (text: string | Buffer) => () => serve((socket) => void socket.write(text));
  const replies = (hello: string, answers: Record<string, string>) => () =>
    lines(hello, (line) => answers[line] ?? '500 what\r\n');
  const onBytes = (answer: Buffer) => () => serve((socket) => void socket.on('data', () => socket.write(answer)));
  const MYSQL = Buffer.from('4a0000000a382e302e333600', 'hex');
  const sound: Record<ScriptPreset, () => Promise<number>> = {
    smtp: replies('220-a\r\n220 b ESMTP\r\n', {
      'EHLO watchpost.invalid': '250-a\r\n250 SIZE 1\r\n',
      QUIT: '221 bye\r\n',
    }),
    imap: replies('* OK ready\r\n', { 'a1 LOGOUT': '* BYE\r\na1 OK\r\n' }),
    pop3: replies('+OK ready\r\n', { QUIT: '+OK bye\r\n' }),
    ftp: replies('220 (vsFTPd 3.0.5)\r\n', { QUIT: '221 Goodbye.\r\n' }),
    ssh: banner('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n'),
    redis: replies('', { PING: '-NOAUTH Authentication required.\r\n', QUIT: '+OK\r\n' }),
    postgres: onBytes(Buffer.from('N')),
    mysql: banner(MYSQL),
    mqtt: onBytes(Buffer.from('20020005', 'hex')),
    amqp: onBytes(Buffer.from('0100000000001a000a000a000900', 'hex')),
  };
  for (const one of SCRIPT_PRESETS) {
    it(`of the preset ${one} is up at such a service`, async () => expectUp(await preset(await sound[one](), one)));
    it(`of the preset ${one} is down at another service`, async () => {
      const report = await preset(await banner('HTTP/1.1 200 OK\r\n\r\n')(), one, 300);
      expect(report.outcome).to.include({ kind: 'down' });
    });
  }

  const ended = (hex: string) => () =>
    serve((socket) => void socket.once('data', () => socket.end(Buffer.from(hex, 'hex'))));
  const odd: [preset: ScriptPreset, what: string, server: () => Promise<number>][] = [
    [
      'smtp',
      'replies without a text (RFC 5321 §4.2)',
      replies('220-\r\n220\r\n', { 'EHLO watchpost.invalid': '250-a\r\n250\r\n', QUIT: '221\r\n' }),
    ],
    ['ftp', 'replies without a text', replies('220\r\n', { QUIT: '221\r\n' })],
    ['imap', 'answers in lower case (RFC 9051 §9)', replies('* ok ready\r\n', { 'a1 LOGOUT': '* bye\r\na1 ok\r\n' })],
    ['imap', 'has signed in already', replies('* PREAUTH ready\r\n', { 'a1 LOGOUT': '* BYE\r\na1 OK\r\n' })],
    ['redis', 'has no rights for strangers', replies('', { PING: "-NOPERM no permissions to run 'ping'\r\n" })],
    ['mqtt', 'speaks version 5 only', ended('2003008400')],
    ['amqp', 'speaks version 1.0 only', ended('414d515000010000')],
    ['amqp', 'speaks version 1.0 after SASL only', ended('414d515003010000')],
  ];
  for (const [one, what, server] of odd)
    it(`of the preset ${one} is up at a service that ${what}`, async () =>
      expectUp(await preset(await server(), one, 1_500)));

  it('of the preset redis is up at Redis', async function () {
    needRedis(this);
    const redis = await startTestRedis();
    try {
      expectUp(await preset(Number(new URL(redis.url).port), 'redis'));
    } finally {
      await redis.stop();
    }
  });

  it('of the preset postgres is up at PostgreSQL', async () => {
    const { url, drop } = await createBlankDatabase();
    try {
      expectUp(await preset(Number(new URL(url).port), 'postgres'));
    } finally {
      await drop();
    }
  });

  it('sends mail servers nothing but the four commands, and inspects their certificate after STARTTLS', async () => {
    const server = new SMTPServer({
      cert: certificate.cert,
      key: certificate.key,
      authOptional: true,
      disableReverseLookup: true,
    });
    const faults: unknown[] = [];
    server.on('error', (error) => faults.push(error));
    const port = await new Promise<number>((resolve) => {
      const listener = server.listen(0, '127.0.0.1', () => resolve((listener.address() as AddressInfo).port));
    });
    open.push({ close: () => server.close() });
    expectUp(await preset(port, 'smtp'));
    const target = sslCheck.target.parse({ host: 'localhost', port, prelude: scriptBeforeTls('smtp') });
    const report = await probes.run({ timeoutMs: 5_000, target: decodeTarget('ssl', encodeTarget(target)) }, signal);
    expect(report.outcome, JSON.stringify(report.outcome)).to.deep.equal({ kind: 'up' });
    expect(report.detail).to.include({ kind: 'ssl', hostnameMatches: true, chainTrusted: true });
    expect(faults).to.deep.equal([]);
  });

  const turning: [
    protocol: 'smtp' | 'imap' | 'pop3' | 'ftp' | 'postgres' | 'mysql',
    hello: string | Buffer,
    agreement: string,
  ][] = [
    ['smtp', '220 a\r\n', '220 go\r\n'],
    ['imap', '* OK a\r\n', 'a1 OK go\r\n'],
    ['pop3', '+OK a\r\n', '+OK go\r\n'],
    ['ftp', '220 a\r\n', '234 go\r\n'],
    ['postgres', '', 'S'],
    ['mysql', MYSQL, ''],
  ];
  for (const [protocol, hello, agreement] of turning) {
    const server = (extra: string) =>
      serve((socket) => {
        socket.write(hello);
        const onData = (data: Buffer) => {
          if (data.toString().startsWith('EHLO')) return void socket.write('250 ok\r\n');
          socket.removeListener('data', onData);
          socket.pause();
          // A client of MySQL waits for no agreement.
          if (protocol === 'mysql' && data.length > 36) socket.unshift(data.subarray(36));
          // An empty write still ends before TLS begins.
          socket.write(agreement + extra, () => turnToTls(socket));
        };
        socket.on('data', onData);
      });
    const inspect = async (extra: string) => {
      const target = sslCheck.target.parse({
        host: 'localhost',
        port: await server(extra),
        prelude: scriptBeforeTls(protocol),
      });
      return probes.run({ timeoutMs: 5_000, target: decodeTarget('ssl', encodeTarget(target)) }, signal);
    };
    it(`inspects the certificate of a service that turns to TLS as ${protocol} does`, async () => {
      const report = await inspect('');
      expect(report.outcome, JSON.stringify(report.outcome)).to.deep.equal({ kind: 'up' });
      expect(report.detail).to.include({ kind: 'ssl' });
    });
    it(`takes nothing that is sent before TLS where a service turns to it as ${protocol} does`, async () => {
      const report = await inspect('250 injected\r\n');
      expect(report.outcome).to.include({ kind: 'down' });
      expect(report).to.not.have.property('detail');
    });
  }
});

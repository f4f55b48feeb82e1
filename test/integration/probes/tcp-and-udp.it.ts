import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';
import { expect } from 'chai';
import { tcpUdpCheck, type TcpUdpTarget } from '@watchpost/shared/checks/tcp-udp';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { hang } from '../../support/target-behaviours.js';
import { startTarget, type TargetOptions } from '../../support/target-server.js';
import { expectDown, expectUp, testProbes } from './probe-check.js';

const probes = testProbes();
const check = (
  target: Partial<TcpUdpTarget> & Pick<TcpUdpTarget, 'protocol' | 'port'>,
  timeoutMs = 3_000,
  by = probes,
): Promise<ProbeReport> =>
  by.run(
    {
      timeoutMs,
      target: tcpUdpCheck.target.parse({ host: '127.0.0.1', ...target }),
    },
    new AbortController().signal,
  );

async function withService<T>(
  onConnection: NonNullable<TargetOptions['onConnection']>,
  use: (port: number) => Promise<T>,
): Promise<T> {
  const target = await startTarget({ behaviour: hang, onConnection });
  try {
    return await use(target.port);
  } finally {
    await target.close();
  }
}

/** A UDP service for the length of one test; what it got is kept. */
async function withDatagrams<T>(
  onMessage: (message: Buffer, answer: (text: string | Buffer) => void) => void,
  use: (port: number, got: Buffer[]) => Promise<T>,
): Promise<T> {
  const socket = createSocket('udp4');
  const got: Buffer[] = [];
  socket.on('message', (message: Buffer, from: RemoteInfo) => {
    got.push(message);
    onMessage(message, (text) => socket.send(text, from.port, from.address));
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  try {
    return await use(socket.address().port, got);
  } finally {
    socket.close();
  }
}

describe('a TCP service', () => {
  it('is up if it accepts the connection', () =>
    withService(
      () => true,
      async (port) => {
        const report = await check({ protocol: 'tcp', port });
        expectUp(report);
        expect(report.address).to.equal(`127.0.0.1:${port}`);
        expect(report.timings.connectUs).to.be.above(0);
      },
    ));

  it('is up if it sends the expected bytes, in one part or several, with or without data to send', async () => {
    const mail: TargetOptions['onConnection'] = (socket) => {
      socket.write('220 mail.exa');
      setTimeout(() => socket.write('mple ESMTP\r\n'), 20);
      return true;
    };
    await withService(mail, async (port) =>
      expectUp(await check({ protocol: 'tcp', port, expect: 'mail.example ESMTP' })),
    );
    const redis: TargetOptions['onConnection'] = (socket) => {
      socket.on('data', (chunk: Buffer) => socket.write(chunk.toString() === 'PING\r\n' ? '+PONG\r\n' : '-ERR\r\n'));
      return true;
    };
    await withService(redis, async (port) => {
      const report = await check({ protocol: 'tcp', port, send: 'PING\r\n', expect: '+PONG' });
      expectUp(report);
      expect(report.timings.firstByteUs).to.be.above(0);
      expectUp(await check({ protocol: 'tcp', port, send: 'hex:50494e470d0a', expect: 'hex:2b50' }));
    });
  });

  it('gets the data to send, even if no response is expected', async () => {
    let got = '';
    await withService(
      (socket) => {
        socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
        return true;
      },
      async (port) => {
        expectUp(await check({ protocol: 'tcp', port, send: 'hello\n' }));
        expect(await eventually('the text', () => got || undefined, PATIENCE_MS, 10)).to.equal('hello\n');
      },
    );
  });

  it('is down if it sends other bytes and ends, or never sends the expected ones', async () => {
    await withService(
      (socket) => {
        socket.end('421 too busy\r\n');
        return true;
      },
      async (port) => {
        const report = await check({ protocol: 'tcp', port, expect: '220' });
        expectDown(
          report,
          'content',
          'unexpected_answer',
          `The service at 127.0.0.1:${port} sent “421 too busy”, which does not contain “220”.`,
        );
        expect(report.evidence!.received).to.equal('421 too busy\r\n');
        expect([report.answer, typeof report.answerDigest], 'it shows that the service is reached').to.deep.equal([
          'complete',
          'number',
        ]);
      },
    );
    await withService(
      (socket) => {
        socket.write(Buffer.from([0, 1, 2]));
        return true;
      },
      async (port) => {
        const report = await check({ protocol: 'tcp', port, expect: '220' }, 1_500);
        expectDown(
          report,
          'transfer',
          'timeout',
          `The service at 127.0.0.1:${port} sent hex:000102 and, within 1.5 s, nothing that contains “220”.`,
        );
        expect(report.answerDigest, 'silence is no answer').to.equal(undefined);
        expect(report.evidence!.received).to.equal('hex:000102');
      },
    );
    await withService(
      (socket) => {
        socket.write('x'.repeat(100_000));
        return true;
      },
      async (port) =>
        expectDown(
          await check({ protocol: 'tcp', port, expect: '220' }),
          'content',
          'unexpected_answer',
          /sent “x{60}…”/,
        ),
    );
  });

  it('is down, with the reason, if it refuses, closes, resets or stays silent', async () => {
    expectDown(
      await check({ protocol: 'tcp', port: 1 }),
      'connect',
      'connection_refused',
      'The server at 127.0.0.1:1 refused the connection.',
    );
    await withService(
      (socket) => {
        socket.end();
        return true;
      },
      async (port) =>
        expectDown(
          await check({ protocol: 'tcp', port, expect: 'x' }),
          'firstByte',
          'protocol_error',
          `The service at 127.0.0.1:${port} closed the connection without sending anything.`,
        ),
    );
    await withService(
      (socket) => {
        setTimeout(() => socket.resetAndDestroy(), 20);
        return true;
      },
      async (port) =>
        expectDown(
          await check({ protocol: 'tcp', port, expect: 'x' }),
          'firstByte',
          'connection_reset',
          `The service at 127.0.0.1:${port} reset the connection.`,
        ),
    );
    await withService(
      () => true,
      async (port) =>
        expectDown(
          await check({ protocol: 'tcp', port, expect: 'x' }, 1_500),
          'firstByte',
          'timeout',
          `No answer from 127.0.0.1:${port} within 1.5 s.`,
        ),
    );
  });

  it('outside the policy is not connected to', async () => {
    expectDown(
      await check({ protocol: 'tcp', port: 22, egress: 'public' }),
      'egress',
      'address_not_allowed',
      /loopback/,
    );
    expectDown(
      await check({ protocol: 'udp', port: 53, egress: 'public' }),
      'egress',
      'address_not_allowed',
      /loopback/,
    );
  });

  it('with invalid settings is reported', async () => {
    for (const protocol of ['tcp', 'udp'] as const) {
      expect((await check({ protocol, port: 1, send: 'hex:0' })).outcome).to.include({
        kind: 'down',
        reason: 'invalid_target',
      });
      expect((await check({ protocol, port: 1, expect: 'hex:zz' })).outcome).to.include({
        kind: 'down',
        reason: 'invalid_target',
      });
    }
  });
});

describe('a TCP service that sends its response in small parts', () => {
  it('is up once the expected data are complete, as text and as hexadecimal digits', async () => {
    for (const expected of ['220 ready', 'hex: 32 32 30 20 72']) {
      await withService(
        (socket) => {
          socket.setNoDelay(true);
          const parts = 'hello 22220 ready'.split('');
          const next = () => {
            const part = parts.shift();
            if (part !== undefined) socket.write(part, () => setImmediate(next));
          };
          next();
          return true;
        },
        async (port) => expectUp(await check({ protocol: 'tcp', port, expect: expected })),
      );
    }
  });
});

describe('a UDP service', () => {
  it('is up if it sends the expected response', () =>
    withDatagrams(
      (message, answer) => answer(`echo ${message.toString()}`),
      async (port, got) => {
        const report = await check({ protocol: 'udp', port, send: 'ping', expect: 'echo ping' });
        expectUp(report);
        expect(got).to.have.length(1);
        expect(report.timings.firstByteUs).to.be.above(0);
      },
    ));

  it('is up if the expected data came in several packets, also in a flood of small ones', async () => {
    for (const [expect, packets] of [
      ['echo ping', ['ec', 'ho pi', 'ng']],
      ['hex: 00 ff 00 01', [Buffer.from([0x00, 0x00]), Buffer.from([0xff]), Buffer.from([0x00, 0x01])]],
      ['end of it', ['x'.repeat(40_000), 'y'.repeat(40_000), 'end ', 'of it']],
    ] as const) {
      await withDatagrams(
        (_message, answer) => packets.forEach((packet) => answer(packet)),
        async (port) => expectUp(await check({ protocol: 'udp', port, send: 'x', expect }, 2_000)),
      );
    }
    await withDatagrams(
      (_message, answer) => ['one', 'three', 'two'].forEach((packet) => answer(packet)),
      async (port) => {
        const report = await check({ protocol: 'udp', port, send: 'x', expect: 'onetwo' }, 300);
        expectDown(report, 'transfer', 'timeout', /sent “onethreetwo/);
      },
    );
  });

  it('is up despite a lost packet, which is repeated', () => {
    let seen = 0;
    return withDatagrams(
      (_message, answer) => void (++seen > 1 && answer('late')),
      async (port) => expectUp(await check({ protocol: 'udp', port, send: 'x', expect: 'late' }, 1_000)),
    );
  });

  it('is up without a response if none is expected, unless the port is reported closed', async () => {
    await withDatagrams(
      () => undefined,
      async (port, got) => {
        expectUp(await check({ protocol: 'udp', port, send: 'fire and forget' }, 400));
        expect(got[0]!.toString()).to.equal('fire and forget');
      },
    );
    const closed = await withDatagrams(
      () => undefined,
      (port) => Promise.resolve(port),
    );
    expectDown(
      await check({ protocol: 'udp', port: closed, send: 'x' }),
      'connect',
      'connection_refused',
      `The machine at 127.0.0.1:${closed} reports that the UDP port is closed.`,
    );
    expectDown(
      await check({ protocol: 'udp', port: closed, send: 'x', expect: 'y' }),
      'connect',
      'connection_refused',
      /UDP port is closed/,
    );
  });

  it('is down if it stays silent or sends another response', async () => {
    await withDatagrams(
      () => undefined,
      async (port) =>
        expectDown(
          await check({ protocol: 'udp', port, send: 'x', expect: 'y' }, 300),
          'firstByte',
          'timeout',
          `No answer from 127.0.0.1:${port} within 0.3 s.`,
        ),
    );
    await withDatagrams(
      (_message, answer) => answer('nonsense'),
      async (port) => {
        const report = await check({ protocol: 'udp', port, send: 'x', expect: 'y' }, 1_500);
        expectDown(report, 'transfer', 'timeout', /sent “nonsense.*” and, within 1\.5 s, nothing that contains “y”\.$/);
        expect(report.evidence!.received).to.match(/^nonsense/);
      },
    );
  });

  it('is tried at the next address of a name if one cannot be reached', () =>
    withDatagrams(
      (_message, answer) => answer('y'),
      async (port) => {
        const by = testProbes({ lookup: (_host, done) => done(null, ['10.0.0.1', '127.0.0.1']) });
        const report = await check({ protocol: 'udp', host: 'shop.example', port, send: 'x', expect: 'y' }, 1_000, by);
        expectUp(report);
        expect(report.address).to.equal(`127.0.0.1:${port}`);
      },
    ));

  describe('whose name has several addresses', () => {
    const by = testProbes({ lookup: (_host, done) => done(null, ['127.0.0.2', '127.0.0.1']) });
    const host = 'shop.example';

    it('is up if another one than the first answers, which is closed or silent', () =>
      withDatagrams(
        (_message, answer) => answer('y'),
        async (port) => {
          for (const expect of ['y', null])
            expectUp(await check({ protocol: 'udp', host, port, send: 'x', expect }, 1_000, by));
          const silent = createSocket('udp4');
          silent.bind(port, '127.0.0.2');
          await once(silent, 'listening');
          const report = await check({ protocol: 'udp', host, port, send: 'x', expect: 'y' }, 1_000, by);
          silent.close();
          expectUp(report);
          expect(report.address).to.equal(`127.0.0.1:${port}`);
        },
      ));

    it('is up if the first one answers after the next one was tried', async () => {
      const slow = createSocket('udp4');
      const silent = createSocket('udp4');
      slow.bind(0, '127.0.0.2');
      await once(slow, 'listening');
      const { port } = slow.address();
      let first: RemoteInfo | undefined;
      slow.on('message', (_message, from: RemoteInfo) => (first = from));
      // The second address stays silent itself; at its first packet, the first one answers.
      silent.on('message', () => slow.send('y', first!.port, first!.address));
      silent.bind(port, '127.0.0.1');
      await once(silent, 'listening');
      const report = await check({ protocol: 'udp', host, port, send: 'x', expect: 'y' }, 1_000, by);
      slow.close();
      silent.close();
      expectUp(report);
      expect(report.address).to.equal(`127.0.0.2:${port}`);
    });

    it('is down if all of them are closed or silent', async () => {
      const silent = createSocket('udp4');
      silent.bind(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address();
      expectDown(
        await check({ protocol: 'udp', host, port, send: 'x', expect: 'y' }, 500, by),
        'firstByte',
        'timeout',
        `No answer from 127.0.0.1:${port} within 0.5 s.`,
      );
      silent.close();
      await once(silent, 'close');
      expectDown(
        await check({ protocol: 'udp', host, port, send: 'x', expect: 'y' }, 500, by),
        'connect',
        'connection_refused',
        `The machine at 127.0.0.2:${port} reports that the UDP port is closed.`,
      );
    });
  });
});

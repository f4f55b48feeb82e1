import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { assertionSchema } from '@watchpost/shared/assertions/assertion';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { startedForSuite } from '../../support/suite.js';
import { after as later, answer, drip, hang, rawThenHang, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Behaviour } from '../../support/target-server.js';
import { expectDown, expectUp, run, testProbes } from './probe-check.js';
import { extract, step } from './step-check.js';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n';

function* endless(part: string): Generator<string> {
  for (;;) yield part;
}

/** Writes the same part as fast as it is read. */
function flood(start: string, part: string): Behaviour {
  return ({ socket }) => {
    const more = (): void => {
      while (!socket.destroyed && socket.write(part));
      socket.once('drain', more);
    };
    socket.write(start);
    more();
  };
}

/** A GiB of zeros in less than a MiB. */
const BOMB = Buffer.concat(Array.from({ length: 16 }, () => gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: 9 })));

describe('a step whose answer is hostile', () => {
  const probes = testProbes();
  const target = startedForSuite(() => startTarget({ behaviour: answer() }));

  let runs = 0;
  /** A run whose second step needs what the first one gets; the last one always cleans up. */
  const runWith = async (behaviour: Behaviour, timeoutMs = 1_500): Promise<ProbeReport> => {
    const path = `/hostile-${++runs}`;
    target.route(path, behaviour);
    const clean = `/clean${path}`;
    const report = await run(probes, `${target.url}/own`, {
      timeoutMs,
      steps: [
        step('get', `${target.url}${path}`, {
          extract: [extract('token', 'regex', '"token":"([^"]+)"')],
          assertions: [
            assertionSchema.parse({ source: 'json', property: '$.ok', comparison: 'equals', target: true }),
            assertionSchema.parse({ source: 'body', comparison: 'notMatches', target: '(a+)+$' }),
          ],
        }),
        step('use', `${target.url}/use/{{token}}`),
        step('clean up', `${target.url}${clean}`, { method: 'DELETE', always: true }),
      ],
    });
    expect(
      target.requests.filter((request) => request.path === clean),
      'cleaned up once',
    ).to.have.length(1);
    expect(report.steps!.map(({ name, wasAvailable }) => [name, wasAvailable])).to.deep.equal([
      ['get', false],
      ['use', null],
      ['clean up', true],
    ]);
    return report;
  };

  const SLOW: Readonly<Record<string, [Behaviour, string, RegExp]>> = {
    'sends its head a byte at a time': [
      drip('HTTP/1.1 200 OK\r\nX-Long: '.padEnd(4_000, 'x'), 100),
      'firstByte',
      /within 1\.5 s/,
    ],
    'sends headers without end, slowly': [drip(endless('X-More: x\r\n'), 50), 'firstByte', /./],
    'sends its body a byte at a time': [
      async (exchange) => {
        exchange.socket.write(`${HEAD}Content-Length: 4000\r\n\r\n`);
        await drip('{"ok":true,"token":"'.padEnd(4_000, 'x'), 100)(exchange);
      },
      'transfer',
      /1\.5 s/,
    ],
    'sends chunks of one byte, slowly': [
      async (exchange) => {
        exchange.socket.write(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`);
        await drip(endless('1\r\n1\r\n'), 50)(exchange);
      },
      'transfer',
      /1\.5 s/,
    ],
    'has interim answers without end, slowly': [drip(endless('HTTP/1.1 100 Continue\r\n\r\n'), 100), 'firstByte', /./],
    'stops within its trailers': [
      rawThenHang(`${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nX-Trailer: x\r\n`),
      'transfer',
      /1\.5 s/,
    ],
  };
  it('in that it is slow ends at the deadline of the run, and what always runs still does', async () => {
    await Promise.all(
      Object.entries(SLOW).map(async ([what, [behaviour, phase, sentence]]) => {
        const report = await runWith(behaviour);
        const { outcome } = report;
        expect(outcome, what).to.include({ kind: 'down', phase });
        expect((outcome as { message: string }).message, what)
          .to.match(/^Step “get”: /)
          .and.match(sentence);
      }),
    );
  });

  const FAST: Readonly<Record<string, Behaviour>> = {
    'headers without end': flood('HTTP/1.1 200 OK\r\n', `X-More: ${'x'.repeat(1_000)}\r\n`),
    'one header without end': flood('HTTP/1.1 200 OK\r\nX-More: ', 'x'.repeat(64 * 1024)),
    'interim answers without end': flood('', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100)),
    'a body without end': flood(`${HEAD}\r\n`, ' '.repeat(64 * 1024)),
    'chunks without end': flood(`${HEAD}Transfer-Encoding: chunked\r\n\r\n`, `10000\r\n${' '.repeat(65_536)}\r\n`),
    'trailers without end': flood(
      `${HEAD}Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n`,
      `X-More: ${'x'.repeat(1_000)}\r\n`,
    ),
    'a GiB in less than a MiB': answer({
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      body: BOMB,
    }),
    'a GiB that is encoded twice': answer({
      headers: { 'content-type': 'application/json', 'content-encoding': 'gzip, gzip' },
      body: gzipSync(BOMB),
    }),
  };
  for (const [what, behaviour] of Object.entries(FAST))
    it(`in that it has ${what} ends before the deadline`, async () => {
      const report = await runWith(behaviour, 60_000);
      expect(report.outcome.kind, what).to.equal('down');
      expect((report.outcome as { message: string }).message, what).to.match(
        /are larger than 64 KiB|more than 20 interim answers|the body is longer than 1 MiB/,
      );
    });

  it('in that it redirects without end ends after ten redirects', async () => {
    let hops = 0;
    const behaviour: Behaviour = (exchange) => redirectTo(`?${++hops}`)(exchange);
    const report = await runWith(behaviour);
    expectDown(report, 'content', 'too_many_redirects', /^Step “get”: The server redirected more than 10 times/);
    expect(hops).to.equal(11);
  });

  it('in that its body grows takes no more memory for many at once', async () => {
    const sizeOf = () => {
      const { heapUsed, arrayBuffers } = process.memoryUsage();
      return (heapUsed + arrayBuffers) / 1024 / 1024;
    };
    const [before, sizes] = [sizeOf(), [] as number[]];
    const timer = setInterval(() => sizes.push(sizeOf()), 5);
    await Promise.all(Array.from({ length: 30 }, () => runWith(FAST['a GiB in less than a MiB']!, 30_000)));
    clearInterval(timer);
    expect(Math.max(...sizes) - before, 'MiB').to.be.below(400);
  });

  it('in that what cleans up after a healthy run takes long has 10 s for that, too', async () => {
    target.route('/slow', later(600, answer()));
    const report = await run(probes, `${target.url}/own`, {
      timeoutMs: 500,
      steps: [
        step('first', `${target.url}/slow`, { always: true }),
        step('second', `${target.url}/2`, { always: true }),
      ],
    });
    expectUp(report);
    expect(report.steps!.map(({ wasAvailable }) => wasAvailable)).to.deep.equal([true, true]);
  });

  it('in that what always runs between others is slow uses up the time of the run', async () => {
    target.route('/slow', hang);
    const report = await run(probes, `${target.url}/own`, {
      timeoutMs: 500,
      steps: [step('first', `${target.url}/slow`, { always: true }), step('second', `${target.url}/2`)],
    });
    expectDown(report, 'connect', 'timeout', /^Step “second”: /);
    expect(report.steps!.map(({ wasAvailable }) => wasAvailable)).to.deep.equal([false, false]);
  });
});

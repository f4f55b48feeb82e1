import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { assertionSchema, type Assertion } from '@watchpost/shared/assertions/assertion';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { DAY_MS } from '@watchpost/shared/time';
import { selfSigned } from '../../support/certificates.js';
import { startedForSuite } from '../../support/suite.js';
import { after as afterMs, answer, redirectTo } from '../../support/target-behaviours.js';
import { startTarget } from '../../support/target-server.js';
import { expectDown, run, testProbes, type CheckOptions } from './probe-check.js';

type Given = Omit<Assertion, 'severity'> & { severity?: Assertion['severity'] };
const DEGRADED = 'degraded' as const;

describe('the assertions of an HTTP check', () => {
  const probes = testProbes();
  const target = startedForSuite(() => startTarget({ behaviour: answer() }));

  const check = (path: string, given: readonly Given[], options: CheckOptions = {}): Promise<ProbeReport> =>
    run(probes, `${target.url}${path}`, {
      ...options,
      assertions: given.map((one) => assertionSchema.parse(one)),
    });
  const passedOf = (report: ProbeReport) => report.evidence!.assertions!.map(({ passed }) => passed);

  it('are all evaluated on the last answer, and all that pass leave it healthy', async () => {
    target.route('/a', redirectTo('/b'));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    target.route('/b', answer({ headers, body: gzipSync('{"items":[1,2],"id":9007199254740993}') }));
    const report = await check('/a', [
      { source: 'status', comparison: 'equals', target: 200 },
      { source: 'header', property: 'Content-Type', comparison: 'equals', target: 'application/json' },
      { source: 'json', property: '$.items', comparison: 'countEquals', target: 2 },
      { source: 'json', property: '$.id', comparison: 'equals', target: { number: '9007199254740993' } },
      { source: 'bodySize', comparison: 'equals', target: 37 },
      { source: 'redirectCount', comparison: 'equals', target: 1 },
      { source: 'finalUrl', comparison: 'equals', target: `${target.url}/b` },
      { source: 'address', comparison: 'equals', target: `127.0.0.1:${target.port}` },
      { source: 'httpVersion', comparison: 'equals', target: '1.1' },
      { source: 'tlsVersion', comparison: 'notExists' },
      { source: 'certificateDays', comparison: 'notExists' },
    ]);
    expect(report.outcome).to.deep.equal({ kind: 'up' });
    expect(Object.keys(report.evidence!), 'nothing but the assertions is kept').to.deep.equal(['assertions']);
    expect(passedOf(report)).to.deep.equal(Array.from({ length: 11 }, () => true));
  });

  it('make it unhealthy where one of severity down fails, and name the first of these', async () => {
    target.route('/a', answer({ body: 'busy' }));
    const report = await check('/a', [
      { source: 'body', comparison: 'contains', target: 'fast', severity: DEGRADED },
      { source: 'header', property: 'Content-Type', comparison: 'contains', target: 'json' },
      { source: 'body', comparison: 'contains', target: 'busy' },
    ]);
    expectDown(
      report,
      'content',
      'assertion_failed',
      'Header content-type is "text/plain; charset=utf-8" instead of containing "json" (2 of 3 assertions failed).',
    );
    expect(passedOf(report)).to.deep.equal([false, false, true]);
    expect(report.evidence).to.include({ bodyStart: 'busy' });
  });

  it('leave it healthy and degraded where only those of severity degraded fail, with evidence', async () => {
    target.route('/a', answer({ body: 'busy' }));
    const report = await check('/a', [
      { source: 'body', comparison: 'notContains', target: 'busy', severity: DEGRADED },
      { source: 'status', comparison: 'equals', target: 200 },
    ]);
    expect(report.outcome).to.deep.equal({
      kind: 'up',
      degraded: 'The body is "busy" instead of not containing "busy" (1 of 2 assertions failed).',
    });
    expect(report.evidence).to.include({ bodyStart: 'busy' });
  });

  it('decide alone about the status if one of them is about it, and not otherwise', async () => {
    target.route('/a', answer({ status: 404 }));
    const gone: Given = { source: 'status', comparison: 'equals', target: 404 };
    expect((await check('/a', [gone])).outcome).to.deep.equal({ kind: 'up' });
    expect((await check('/a', [{ ...gone, target: 410, severity: DEGRADED }])).outcome).to.include({ kind: 'up' });
    const other = await check('/a', [{ source: 'body', comparison: 'contains', target: 'never' }]);
    expectDown(other, 'content', 'unexpected_status', /status 404/);
    expect(passedOf(other), 'they are evaluated all the same').to.deep.equal([false]);
  });

  it('see the version of TLS and the days that are left of a certificate', async () => {
    const certificate = await selfSigned({ notAfter: new Date(Date.now() + 30.5 * DAY_MS) });
    for (const [maxVersion, version] of [
      ['TLSv1.3', '1.3'],
      ['TLSv1.2', '1.2'],
    ] as const) {
      const secure = await startTarget({ behaviour: answer(), tls: { ...certificate, maxVersion } });
      const report = await run(probes, `https://127.0.0.1:${secure.port}/`, {
        verifyCertificate: false,
        assertions: [
          assertionSchema.parse({ source: 'tlsVersion', comparison: 'equals', target: version }),
          assertionSchema.parse({ source: 'certificateDays', comparison: 'in', target: [30] }),
        ],
      });
      await secure.close();
      expect(report.outcome, version).to.deep.equal({ kind: 'up' });
    }
  });

  it('see the response time in milliseconds', async () => {
    target.route('/a', afterMs(100, answer()));
    const report = await check('/a', [
      { source: 'responseTime', comparison: 'greaterThan', target: 90 },
      { source: 'responseTime', comparison: 'lessThan', target: 6_000 },
    ]);
    expect(report.outcome).to.deep.equal({ kind: 'up' });
  });

  it('fail where the body is longer than 1 MiB, does not match its coding, or is no JSON', async () => {
    const [text, query]: Given[] = [
      { source: 'body', comparison: 'notContains', target: 'x' },
      { source: 'json', property: '$.x', comparison: 'notExists' },
    ];
    target.route('/long', answer({ body: 'a'.repeat(1024 * 1024 + 1) }));
    expectDown(
      await check('/long', [text!]),
      'content',
      'assertion_failed',
      'The body could not be compared: the body is longer than 1 MiB (1 of 1 assertions failed).',
    );
    target.route('/coded', answer({ headers: { 'content-encoding': 'gzip' }, body: 'plain' }));
    expectDown(await check('/coded', [text!]), 'content', 'assertion_failed', /not valid gzip data/);
    const half = gzipSync(Array.from({ length: 500 }, (_, index) => `${index * index}`).join()).subarray(0, 500);
    target.route('/half', answer({ headers: { 'content-encoding': 'gzip' }, body: half }));
    const size: Given = { source: 'bodySize', comparison: 'lessThan', target: 100_000 };
    for (const one of [text!, size])
      expectDown(await check('/half', [one]), 'content', 'assertion_failed', /the body ends within its gzip data/);
    target.route('/html', answer({ body: '<p>' }));
    expectDown(await check('/html', [query!]), 'content', 'assertion_failed', /the body is no JSON/);
  });

  it('compare times with that of the control plane, not that of the machine', async () => {
    const nowMs = Date.now() + 30 * DAY_MS;
    target.route('/a', answer({ body: JSON.stringify({ at: new Date(nowMs - DAY_MS).toISOString() }) }));
    const assertions = (['newerThan', 'olderThan'] as const).map((comparison) =>
      assertionSchema.parse({
        source: 'json',
        property: '$.at',
        comparison,
        target: comparison === 'newerThan' ? 'P2D' : 'PT1H',
      }),
    );
    const ahead = testProbes({ now: () => nowMs });
    expect((await run(ahead, `${target.url}/a`, { assertions })).outcome).to.deep.equal({ kind: 'up' });
  });

  it('never show what the check sends in secret', async () => {
    target.route('/a', answer({ body: '{"you":"Bearer geheim-geheim"}' }));
    const report = await check('/a', [{ source: 'json', property: '$.you', comparison: 'equals', target: 'me' }], {
      headers: [{ name: 'Authorization', value: 'Bearer geheim-geheim' }],
    });
    expect(JSON.stringify(report)).not.to.contain('geheim');
  });

  it('end on hostile answers, which would be compared for hours', async () => {
    const given: Given[] = [
      { source: 'json', property: '$..*', comparison: 'exists' },
      { source: 'json', property: "$[?search(@, '(a+)+$')]", comparison: 'exists' },
      { source: 'json', property: '$[?$[?@ == $]]', comparison: 'exists' },
      { source: 'body', comparison: 'matches', target: '(a+)+$' },
      { source: 'body', comparison: 'matches', target: '(?:a|b)*a[ab]{300}z?$' },
    ];
    const bodies: Record<string, string | Buffer> = {
      wide: `[${'0,'.repeat(500_000)}0]`,
      deep: `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
      matches: JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index }))),
      digits: `[${'9'.repeat(1_000_000)}]`,
      integers: `[${'90071992547409931,'.repeat(55_000)}1]`,
      repeated: `${'a'.repeat(1_000_000)}!`,
      bytes: Buffer.alloc(1_000_000, Buffer.from([0x22, 0xff, 0xc3, 0x28])),
    };
    for (const [name, body] of Object.entries(bodies)) {
      target.route('/hostile', answer({ headers: { 'content-type': 'application/json' }, body }));
      const report = await check('/hostile', given);
      expect(report.evidence!.assertions, name).to.have.length(5);
    }
  });
});

import { expect } from 'chai';
import { assertionSchema } from '@watchpost/shared/assertions/assertion';
import type { HttpStep } from '@watchpost/shared/checks/http';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/token-endpoint.js';
import { expectDown, expectUp, httpCheck, run, testProbes, type CheckOptions } from './probe-check.js';
import { extract, step } from './step-check.js';

const VARIABLE = 'p@ss "word" & more';
const EXTRACTED = 'geheim-token-77';
const HEADER = 'step-header-geheim';
const SECRETS = [VARIABLE, EXTRACTED, HEADER, 'hunter2!x'];

describe('the secrets of steps', () => {
  const probes = testProbes();
  let target: Target;
  let endpoint: TokenEndpoint;
  beforeEach(async () => {
    target = await startTarget({ behaviour: answer() });
    endpoint = await startTokenEndpoint();
  });
  afterEach(() => Promise.all([target.close(), endpoint.close()]));

  const check = (steps: readonly HttpStep[], options: CheckOptions = {}): Promise<ProbeReport> =>
    run(probes, `${target.url}/own`, {
      ...options,
      steps,
      variables: [{ name: 'password', value: VARIABLE, secret: true }],
      extract: [extract('token', 'json', '$.token', true)],
    });
  /** It has them in every form in which a request can have them. */
  const expectHidden = (report: ProbeReport) => {
    const text = JSON.stringify(report);
    const forms = SECRETS.flatMap((secret) => [
      secret,
      JSON.stringify(secret).slice(1, -1),
      JSON.stringify(JSON.stringify(secret).slice(1, -1)).slice(1, -1),
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
    ]);
    for (const form of forms) expect(text).to.not.include(form);
    expect(text).to.include('***');
  };
  const using = (options: Partial<HttpStep> = {}) =>
    step('use them', `${target.url}/use?p={{password}}&t={{token}}`, {
      method: 'POST',
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'X-Api-Key', value: HEADER },
        { name: 'Authorization', value: 'Bearer {{token}}' },
      ],
      body: '{"password":"{{password}}","token":"{{token}}"}',
      ...options,
    });

  it('are masked in all that a site echoes, in evidence, messages and results', async () => {
    target.route('/own', answer({ body: JSON.stringify({ token: EXTRACTED, also: [EXTRACTED] }) }));
    target.route('/use', ({ request, socket }) => {
      const { path, headers, body } = request;
      const echoed = `${path} ${headers['x-api-key']} ${headers.authorization} ${body.toString()} ${VARIABLE} ${EXTRACTED}`;
      socket.end(`HTTP/1.1 500 Oops\r\nX-Echo: ${path} ${headers.authorization}\r\nConnection: close\r\n\r\n${echoed}`);
    });
    const assertions = [
      assertionSchema.parse({
        source: 'body',
        comparison: 'equals',
        target: `{{password}} ${'x'.repeat(150)} {{token}}`,
      }),
      assertionSchema.parse({ source: 'body', comparison: 'contains', target: '{{token}}!' }),
    ];
    const report = await check([using({ assertions }), using({ name: 'again', always: true })]);
    expectDown(report, 'content', 'unexpected_status', /500/);
    expect(target.requests[1]!.path).to.equal(
      `/use?p=${encodeURIComponent(VARIABLE).replaceAll("'", '%27')}&t=${EXTRACTED}`,
    );
    expect(target.requests[1]!.body.toString()).to.equal(JSON.stringify({ password: VARIABLE, token: EXTRACTED }));
    expectHidden(report);
    const asserted = await check([using({ assertions, expectedStatus: [{ from: 500, to: 500 }] })]);
    expectDown(asserted, 'content', 'assertion_failed', /^Step “use them”: The body is /);
    expectHidden(asserted);
  });

  it('are masked in the answer from which they are extracted, also where an assertion shows its beginning', async () => {
    for (const pad of [170, 178, 182, 190]) {
      const body = JSON.stringify({ pad: 'x'.repeat(pad), token: EXTRACTED, end: 'x'.repeat(500) });
      target.route('/own', answer({ body }));
      const assertions = [assertionSchema.parse({ source: 'body', comparison: 'equals', target: 'ok' })];
      const report = await check([using()], { assertions });
      expectDown(report, 'content', 'assertion_failed', /^The body is/);
      const [result] = report.evidence!.assertions!;
      expect(result!.actual, `after ${pad}`).to.not.include('geheim');
      expect(JSON.stringify(report)).to.not.include(EXTRACTED);
    }
  });

  it('are masked in the sentence about a step that always runs, in a healthy run too', async () => {
    target.route('/own', answer({ body: JSON.stringify({ token: EXTRACTED }) }));
    const out = step('log out', `${target.url}/out`, {
      always: true,
      assertions: [assertionSchema.parse({ source: 'body', comparison: 'equals', target: 'bye {{token}}' })],
    });
    const report = await check([out]);
    expect(report.outcome).to.deep.equal({ kind: 'up' });
    expect(report.steps![0]!.message).to.equal('The body is "ok" instead of "bye ***" (1 of 1 assertions failed).');
  });

  it('are those of the sign-ins of each, which have one access token for many runs', async () => {
    const auth = {
      type: 'oauth2ClientCredentials' as const,
      tokenUrl: endpoint.tokenUrl,
      clientId: 'robot',
      clientSecret: 'client-geheim',
      scopes: [],
      audience: null,
    };
    target.route('/api', ({ request, socket }) => {
      socket.end(`HTTP/1.1 404 Gone\r\nConnection: close\r\n\r\n${request.headers.authorization} client-geheim`);
    });
    const spec = httpCheck(`${target.url}/own`, { steps: [step('api', `${target.url}/api`, { auth })] });
    for (const _ of [1, 2]) {
      const report = await probes.run(spec, new AbortController().signal);
      expectDown(report, 'content', 'unexpected_status', /^Step “api”: The server answered with status 404/);
      expect(report.evidence!.bodyStart).to.equal('Bearer *** ***');
      expect(JSON.stringify(report)).to.not.include('geheim');
    }
    expect(endpoint.given).to.have.length(1);
    expect(target.requests.map(({ path, headers }) => [path, headers.authorization])).to.deep.equal([
      ['/own', undefined],
      ['/api', 'Bearer token-geheim-1'],
      ['/own', undefined],
      ['/api', 'Bearer token-geheim-1'],
    ]);
  });

  it('of one step are not sent by another, nor to another origin', async () => {
    const foreign = await startTarget({ behaviour: answer() });
    try {
      target.route('/own', answer({ body: JSON.stringify({ token: EXTRACTED }) }));
      const auth = { type: 'basic' as const, username: 'robot', password: 'hunter2!x' };
      target.route('/a', ({ socket }) => {
        socket.end(
          `HTTP/1.1 302 Found\r\nLocation: ${foreign.url}/b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        );
      });
      expectUp(await check([step('a', `${target.url}/a`, { auth }), step('b', `${target.url}/b`)]));
      expect(target.requests.map(({ path, headers }) => [path, headers.authorization !== undefined])).to.deep.equal([
        ['/own', false],
        ['/a', true],
        ['/b', false],
      ]);
      expect(foreign.requests[0]!.headers).to.not.have.property('authorization');
    } finally {
      await foreign.close();
    }
  });

  it('are in no body or header that a redirect sends to another origin', async () => {
    const foreign = await startTarget({ behaviour: answer() });
    try {
      let status = 307;
      target.route('/own', answer({ body: JSON.stringify({ token: EXTRACTED }) }));
      target.route('/use', ({ socket }) => {
        socket.end(
          `HTTP/1.1 ${status} Go\r\nLocation: ${foreign.url}/b\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`,
        );
      });
      const headers = [
        { name: 'User-Agent', value: 'a {{token}}' },
        { name: 'Accept', value: 'text/html' },
      ];
      for (const body of ['{{password}}', '{{token}}']) {
        const report = await check([using({ headers, body })]);
        expectDown(
          report,
          'content',
          'bad_redirect',
          /^Step “use them”: The redirect from \S+ cannot be followed: the body has secrets, which no other origin gets\.$/,
        );
      }
      expect(foreign.requests).to.deep.equal([]);
      status = 303;
      expectUp(await check([using({ headers })]));
      status = 307;
      expectUp(await check([using({ headers, body: 'none' })]));
      expect(foreign.requests.map(({ method, body }) => [method, body.toString()])).to.deep.equal([
        ['GET', ''],
        ['POST', 'none'],
      ]);
      for (const request of foreign.requests) {
        expect(request.headers['user-agent']).to.match(/^Watchpost/);
        expect(request.headers.accept).to.equal('text/html');
      }
    } finally {
      await foreign.close();
    }
  });

  it('are masked in the patterns that assertions compare with', async () => {
    target.route('/own', answer({ body: JSON.stringify({ token: EXTRACTED }) }));
    const secret = 'ge.heim$(x)[1]';
    const assertions = [assertionSchema.parse({ source: 'body', comparison: 'matches', target: '^{{key}}$' })];
    const report = await run(probes, `${target.url}/own`, {
      steps: [step('a', `${target.url}/a`, { assertions })],
      variables: [{ name: 'key', value: secret, secret: true }],
    });
    expectDown(report, 'content', 'assertion_failed', /instead of matching "\^\*\*\*\$"/);
    expect(JSON.stringify(report)).to.not.include('heim');
  });
});

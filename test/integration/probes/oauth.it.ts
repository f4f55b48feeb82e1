import { expect } from 'chai';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { answer, hang, raw, redirectTo } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/token-endpoint.js';
import { expectDown, expectUp, httpCheck, run, testProbes } from './probe-check.js';

const never = () => new AbortController().signal;

describe('a check with an OAuth access token', () => {
  let site: Target;
  let endpoint: TokenEndpoint;
  let movedMs = 0;
  let probes = testProbes();
  const auth = (changed: object = {}) => ({
    type: 'oauth2ClientCredentials' as const,
    tokenUrl: endpoint.tokenUrl,
    clientId: 'robot',
    clientSecret: 'client-geheim',
    scopes: [] as string[],
    audience: null,
    ...changed,
  });
  const sent = () => site.requests.map(({ headers }) => headers.authorization);

  beforeEach(async () => {
    movedMs = 0;
    probes = testProbes({ now: () => Date.now() + movedMs });
    site = await startTarget({ behaviour: answer() });
    endpoint = await startTokenEndpoint();
  });
  afterEach(() => Promise.all([site.close(), endpoint.close()]));

  it('asks for a token as RFC 6749 has it, and shows the time of that as a phase of its own', async () => {
    const report = await run(probes, site.url, {
      auth: auth({ scopes: ['read', 'write'], audience: 'https://api.example' }),
    });
    expectUp(report);
    const [request] = endpoint.requests;
    expect(request!.method).to.equal('POST');
    expect(request!.headers['content-type']).to.equal('application/x-www-form-urlencoded');
    expect(Object.fromEntries(new URLSearchParams(request!.body.toString()))).to.deep.equal({
      grant_type: 'client_credentials',
      scope: 'read write',
      audience: 'https://api.example',
    });
    expect(sent()).to.deep.equal(['Bearer token-geheim-1']);
    const { dnsUs, connectUs, tlsUs, firstByteUs, transferUs, authUs } = report.timings;
    expect(authUs).to.be.above(0);
    expect(report.totalUs).to.be.at.least(dnsUs + connectUs + tlsUs + firstByteUs + transferUs - 1_000);
  });

  it('keeps a token until 30 s before it expires, for this monitor alone', async () => {
    const check = httpCheck(site.url, { auth: auth() });
    const once = async (spec = check) => expectUp(await probes.run(spec, never()));
    await once();
    movedMs = 3_569_000;
    await once();
    expect(endpoint.given).to.have.length(1);
    movedMs = 3_571_000;
    await once();
    expect(sent()).to.deep.equal([1, 1, 2].map((number) => `Bearer token-geheim-${number}`));
    // Another tenant with the same endpoint, the same client and the same secret.
    await once(httpCheck(site.url, { auth: auth() }));
    expect(sent().at(-1)).to.equal('Bearer token-geheim-3');
  });

  it('asks once for checks that run at the same time', async () => {
    const check = httpCheck(site.url, { auth: auth() });
    for (const report of await Promise.all([1, 2, 3, 4].map(() => probes.run(check, never())))) expectUp(report);
    expect(endpoint.given).to.have.length(1);
    expect(new Set(sent()).size).to.equal(1);
  });

  it('renews a token that the site refuses, once', async () => {
    const check = httpCheck(site.url, { auth: auth() });
    expectUp(await probes.run(check, never()));
    site.behave(({ request, socket }) => {
      const isNew = request.headers.authorization === 'Bearer token-geheim-2';
      socket.end(`HTTP/1.1 ${isNew ? '200 OK' : '401 No'}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
    });
    expectUp(await probes.run(check, never()));
    expect(endpoint.given).to.have.length(2);
    site.behave(answer({ status: 401 }));
    const report = await probes.run(check, never());
    expectDown(report, 'content', 'unexpected_status', /status 401/);
    expect(endpoint.given).to.have.length(3);
    expect(report.evidence!.hops!.map(({ statusCode, isTokenRequest }) => [statusCode, isTokenRequest])).to.deep.equal([
      [401, undefined],
      [200, true],
      [401, undefined],
    ]);
  });

  it('sends the credentials in the body where the endpoint takes them there alone', async () => {
    endpoint.behave(({ request, socket }) => {
      const form = new URLSearchParams(request.body.toString());
      const isKnown = form.get('client_id') === 'robot' && form.get('client_secret') === 'client-geheim';
      const body = isKnown ? '{"access_token":"t-geheim","expires_in":"1"}' : '{"error":"invalid_client"}';
      socket.end(
        `HTTP/1.1 ${isKnown ? 200 : 400} X\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
    const check = httpCheck(site.url, { auth: auth() });
    expectUp(await probes.run(check, never()));
    expectUp(await probes.run(check, never()));
    expect(endpoint.requests, 'a second check begins with what worked').to.have.length(3);
  });

  it('sends the token to no other origin, nor back', async () => {
    const foreign = await startTarget({ behaviour: redirectTo(`${site.url}/back`) });
    site.route('/a', redirectTo('/b'));
    site.route('/b', redirectTo(foreign.url));
    expectUp(await run(probes, `${site.url}/a`, { auth: auth() }));
    expect(sent()).to.deep.equal(['Bearer token-geheim-1', 'Bearer token-geheim-1', undefined]);
    expect(foreign.requests[0]!.headers.authorization).to.equal(undefined);
    await foreign.close();
  });

  it('is down in the phase auth where it gets no token, and asks the site for nothing', async () => {
    const where = `No access token from ${endpoint.tokenUrl}: `;
    for (const [given, why] of [
      [{ status: 503, body: 'x' }, 'it answered with status 503 Service Unavailable.'],
      [
        { status: 400, body: { error: 'invalid_scope', error_description: 'no such scope' } },
        /it answered with status 400 Bad Request \(invalid_scope: no such scope\)\.$/,
      ],
      [{ body: '<html>' }, 'its answer is not JSON.'],
      [{ body: { token: 'x' } }, 'its answer has no usable `access_token`.'],
      [{ body: { access_token: 'a b' } }, 'its answer has no usable `access_token`.'],
      [{ body: { access_token: 'x', token_type: 'mac' } }, 'its token is of the type “mac”, not Bearer.'],
      [{ body: `{"access_token":"${'x'.repeat(20_000)}"}` }, 'its answer is larger than 16 KiB.'],
    ] as const) {
      endpoint.answerWith(given);
      const report = await run(probes, site.url, { auth: auth() });
      expectDown(report, 'auth', 'auth_failed', typeof why === 'string' ? where + why : why);
      expect(report.statusCode).to.equal(null);
      expect(report.evidence).to.not.have.any.keys('bodyStart', 'headers');
    }
    expect(site.requests).to.deep.equal([]);
  });

  it('reports what kept it from the endpoint, with the reason of that', async () => {
    const redirecting = await startTarget({ behaviour: redirectTo(site.url) });
    for (const [tokenUrl, reason, why] of [
      ['http://127.0.0.1:1/t?q=secret', 'connection_refused', 'The server at 127.0.0.1:1 refused the connection.'],
      [`${redirecting.url}/t`, 'auth_failed', 'it answered with status 302 Found.'],
    ] as const) {
      const report = await run(probes, site.url, { auth: auth({ tokenUrl }) });
      const message = `No access token from ${tokenUrl.split('?')[0]}: ${why}`;
      expectDown(report, 'auth', reason, message);
    }
    const inside = testProbes({ monitorEgress: createEgressPolicy({ allowCidrs: ['127.0.0.1/32'] }) });
    expectDown(
      await run(inside, site.url, { auth: auth({ tokenUrl: 'http://127.0.0.2:1/t' }) }),
      'auth',
      'address_not_allowed',
      /^No access token from http:\/\/127\.0\.0\.2:1\/t: Checks may not connect to 127\.0\.0\.2/,
    );
    expect(site.requests).to.deep.equal([]);
    await redirecting.close();
  });

  it('ends with the timeout of the check where the endpoint is slow or endless', async () => {
    endpoint.behave(hang);
    expectDown(
      await run(probes, site.url, { auth: auth(), timeoutMs: 700 }),
      'auth',
      'timeout',
      /No access token from/,
    );
    endpoint.behave(raw(`HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(2 * 1024 * 1024)}`));
    expectDown(await run(probes, site.url, { auth: auth() }), 'auth', 'auth_failed', /larger than 16 KiB\.$/);
  });

  it('shows neither secret nor token in the evidence of sites that repeat them', async () => {
    site.behave(({ request, socket }) => {
      const body = `client-geheim ${request.headers.authorization}`;
      socket.end(`HTTP/1.1 500 X\r\nX-Echo: ${request.headers.authorization}\r\nConnection: close\r\n\r\n${body}`);
    });
    const report = await run(probes, site.url, { auth: auth() });
    expectDown(report, 'content', 'unexpected_status', /500/);
    endpoint.answerWith({ status: 400, body: { error: 'no', error_description: 'client-geheim' } });
    const refused = await run(probes, site.url, { auth: auth() });
    expect(JSON.stringify([report, refused]))
      .to.include('***')
      .and.not.include('geheim');
  });
});

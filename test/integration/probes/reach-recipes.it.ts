import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ProbeReport } from '@watchpost/shared/outcome';
import { SystemNames } from '@watchpost/shared/names/system-names';
import { createAuthority, selfSigned, type TestAuthority } from '../../support/certificates.js';
import { records, startNameServer, type NameServer } from '../../support/name-server.js';
import { answer } from '../../support/target-behaviours.js';
import { startTarget, type Target } from '../../support/target-server.js';
import { startTokenEndpoint, type TokenEndpoint } from '../../support/token-endpoint.js';
import { readRecipes, runRecipe } from './guide-recipes.js';
import { expectDown, testProbes } from './probe-check.js';

/** Its evidence is what the assertions found. */
const expectWell = ({ outcome }: ProbeReport) => expect(outcome).to.deep.equal({ kind: 'up' });
const json = (value: unknown) => answer({ body: JSON.stringify(value) });

describe('The recipe of the guide to answers for', () => {
  let authority: TestAuthority;
  before(async () => {
    authority = await createAuthority();
  });

  describe('an API behind OAuth 2', () => {
    let api: Target;
    let login: TokenEndpoint;
    beforeEach(async () => {
      login = await startTokenEndpoint();
      const orders = json({ orders: [] });
      api = await startTarget({
        behaviour: (exchange) => {
          const isAdmitted = exchange.request.headers['authorization'] === `Bearer ${login.given.at(-1)}`;
          return (isAdmitted ? orders : answer({ status: 401 }))(exchange);
        },
      });
    });
    afterEach(() => Promise.all([api.close(), login.close()]));

    const check = async (secret = 'client-geheim') => {
      const { orders } = await readRecipes({ ORDERS_CLIENT_SECRET: secret });
      const places = {
        'https://api.example.com': api.url,
        'https://login.example.com/oauth2/token': login.tokenUrl,
      };
      return runRecipe(testProbes(), orders!, places);
    };

    it('gets a token for its scope, and reads the answer with it', async () => {
      expectWell(await check());
      const form = new URLSearchParams(login.requests[0]!.body.toString());
      expect(Object.fromEntries(form)).to.deep.equal({ grant_type: 'client_credentials', scope: 'read:orders' });
      expect(api.requests.map(({ path }) => path)).to.deep.equal(['/orders']);
      api.behave(json({ error: 'no database' }));
      expectDown(await check(), 'content', 'assertion_failed', /^JSON \$\.orders is without a match/);
    });

    it('distinguishes a login server that gives no token from an API that refuses one', async () => {
      const named = `No access token from ${login.tokenUrl}: `;
      const refused = await check('another');
      expectDown(refused, 'auth', 'auth_failed', `${named}it answered with status 401 Unauthorized (invalid_client).`);
      expect(api.requests).to.deep.equal([]);
      api.behave(answer({ status: 401 }));
      expectDown(await check(), 'content', 'unexpected_status', /status 401/);
      expect(login.given, 'one that was only just given is not renewed').to.have.length(1);
    });
  });

  describe('a client certificate', () => {
    let partners: Target;
    before(async () => {
      const tls = { ...(await authority.issue()), requestCert: true, ca: authority.rootPem };
      partners = await startTarget({ behaviour: json({ status: 'ok' }), tls });
    });
    after(() => partners.close());

    const check = async ({ cert, key }: { cert: string; key: string }) => {
      const { partners: monitor } = await readRecipes({ PARTNERS_CERTIFICATE: cert, PARTNERS_KEY: key });
      const probes = testProbes({ extraCertificates: [authority.rootPem] });
      return runRecipe(probes, monitor!, { 'https://partners.example.com': partners.url });
    };

    it('is admitted with one that the server accepts, and down with one that expired or is of somebody else', async () => {
      expectWell(await check(await authority.issue({ usage: 'clientAuth' })));
      expect(partners.requests.map(({ path }) => path)).to.deep.equal(['/status']);
      const expired = await authority.issue({ usage: 'clientAuth', notAfter: new Date(Date.now() - 1) });
      for (const refused of [expired, await selfSigned({ usage: 'clientAuth' })])
        expect((await check(refused)).outcome.kind).to.equal('down');
      expect(partners.requests).to.have.length(1);
      partners.behave(json({ status: 'closed' }));
      expectDown(
        await check(await authority.issue({ usage: 'clientAuth' })),
        'content',
        'assertion_failed',
        'JSON $.status is "closed" instead of "ok" (1 of 1 assertions failed).',
      );
    });
  });

  describe('dual stack', () => {
    let folder: string;
    let nameServer: NameServer;
    let v4: Target;
    let v6: Target;
    const welcome = answer({ body: 'Welcome' });
    before(async () => {
      const name = { name: 'www.example.com', ttl: 300 };
      const behaviour = records([
        { ...name, type: 'A', data: '127.0.0.1' },
        { ...name, type: 'AAAA', data: '::1' },
      ]);
      nameServer = await startNameServer({ behaviour });
      folder = mkdtempSync(join(tmpdir(), 'watchpost-recipes-'));
      writeFileSync(join(folder, 'resolv.conf'), `nameserver [${nameServer.host}]:${nameServer.port}\n`);
      writeFileSync(join(folder, 'hosts'), '');
      const tls = await authority.issue({ names: ['www.example.com'] });
      // A port that is free in one family can be taken in the other.
      for (let isWhole = false; !isWhole;) {
        v4 = await startTarget({ behaviour: welcome, tls });
        const other = await startTarget({ behaviour: welcome, tls, host: '::1', port: v4.port }).catch(() => null);
        if (other) [v6, isWhole] = [other, true];
        else await v4.close();
      }
    });
    after(async () => {
      await Promise.all([v4.close(), v6.close(), nameServer.close()]);
      rmSync(folder, { recursive: true });
    });

    it('is partial where one address fails, and down where each must work', async () => {
      const { dualStack } = await readRecipes({});
      const names = new SystemNames({ resolvConf: join(folder, 'resolv.conf'), hosts: join(folder, 'hosts') });
      const probes = testProbes({ names, extraCertificates: [authority.rootPem] });
      const check = (more: object) => {
        const monitor = { ...dualStack!, http: { ...dualStack!.http, ...more } };
        return runRecipe(probes, monitor, { 'https://www.example.com': `https://www.example.com:${v4.port}` });
      };
      /** The same failure is partial, or not where each must work. */
      const expectFailure = async (...failure: [phase: string, reason: string, message: string]) => {
        for (const eachMustWork of [false, true]) {
          const report = await check({ eachMustWork });
          expectDown(report, ...failure);
          expect('isPartial' in report.outcome).to.equal(!eachMustWork);
        }
      };

      const well = await check({});
      expectWell(well);
      const statuses = well.addresses!.map(({ address, status }) => [address, status]);
      expect(Object.fromEntries(statuses)).to.deep.equal({ '127.0.0.1': 'available', '::1': 'available' });

      const other = `1 of 2 addresses failed: [::1]:${v4.port}`;
      v6.behave(answer({ body: 'It works!' }));
      await expectFailure(
        'content',
        'assertion_failed',
        `${other}: The body is "It works!" instead of containing "Welcome" (1 of 1 assertions failed).`,
      );
      await v6.close();
      await expectFailure('connect', 'connection_refused', `${other} refused the connection.`);
      await v4.close();
      const none = await check({});
      expectDown(none, 'connect', 'connection_refused', /^2 of 2 addresses failed: /);
      expect(none.outcome).to.not.have.property('isPartial');
    });
  });
});

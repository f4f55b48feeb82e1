import { createServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { createEgressAgent } from '@watchpost/control-plane/capabilities/channels/sending/egress-agent';
import { fetchBounded } from '@watchpost/control-plane/platform/http/fetch-bounded';
import { domainQueries } from '@watchpost/control-plane/capabilities/domains/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import { selfSigned } from '../../support/certificates.js';
import { type RdapServer, registration, sends, startRdapServer } from '../../support/rdap-server.js';
import { makeWorld, type World } from '../../support/seed.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

describe('The queries of domains', () => {
  let app: TestApp;
  let rdap: RdapServer;
  let world: World;
  let other: World;
  const newAgent = () => createEgressAgent(createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] }));
  const agent = newAgent();
  before(async () => {
    rdap = await startRdapServer(['test', 'com', 'uk', 'net', 'org']);
    app = await startTestApp({ env: { DOMAIN_RDAP_BOOTSTRAP_URL: rdap.bootstrapUrl } });
    world = await makeWorld(app);
    other = await makeWorld(app);
  });
  after(async () => {
    await app?.stop();
    await rdap?.close();
    await agent.close();
  });

  /** The job of one more process. */
  const plane = (decideAgain: Parameters<typeof domainQueries>[0]['decideAgain'] = () => Promise.resolve()) => {
    const registry = new Registry();
    const { bootstrapUrl } = rdap;
    const run = domainQueries({ db: app.db, clock: app.clock, registry, dispatcher: agent, bootstrapUrl, decideAgain });
    const due = async () => (await registry.getSingleMetric('watchpost_domains_due')!.get()).values[0]!.value;
    return { run, due };
  };
  const watch = async (url: string, by = world): Promise<string> => {
    const { status, body } = await by.api('POST', '/api/v1/monitor', { url, monitorTypes: ['Domain'] });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.id as string;
  };
  const statusOf = async (id: string, by = world) => (await by.api('GET', `/api/v1/monitor/${id}/domain-status`)).body;
  const asked = (name: string) => rdap.asked.filter((one) => one === name).length;

  it('store texts that are no text, and bounded lists of them', async () => {
    const odd = 'A\u0000\ud800<b>\u202e';
    rdap.answers.set(
      'odd.test',
      registration('odd.test', {
        registrar: odd + 'x'.repeat(10_000),
        status: [odd, ...Array.from({ length: 500 }, () => 'active')],
        nameservers: Array.from({ length: 500 }, () => odd),
      }),
    );
    const id = await watch('odd.test');
    await plane().run();
    const status = await statusOf(id);
    expect(status.state).to.equal('ok');
    expect(status.registrar)
      .to.match(/^A\ufffd\ufffd<b>\u202ex+$/)
      .and.to.have.length.at.most(256);
    expect(status.statuses).to.have.length(50).and.to.include('a\ufffd\ufffd<b>\u202e');
    expect(status.nameServers).to.have.length(50);
  });

  it('go on where one domain cannot be kept, which is not asked again before its time', async () => {
    const names = ['first.test', 'broken.test', 'third.test'];
    const ids = [];
    for (const name of names) {
      rdap.answers.set(name, registration(name));
      ids.push(await watch(name));
    }
    const broken = ids[1];
    // As in a process that is killed after the query, nothing of this domain is written.
    const { run } = plane(async (tx, _workspaceId, keys) => {
      const found = await tx.column<string>('SELECT id FROM monitor WHERE key = ANY ($1)', [keys]);
      if (found.includes(broken!)) throw new Error('killed');
    });
    const fault = await run().then(
      () => null,
      (error: unknown) => error,
    );
    expect(String(fault)).to.contain('1 domains');
    expect((await Promise.all(ids.map((id) => statusOf(id)))).map(({ state }) => state)).to.deep.equal([
      'ok',
      null,
      'ok',
    ]);
    app.clock.advance(12 * HOUR_MS - MINUTE_MS);
    await plane().run();
    expect(names.map(asked)).to.deep.equal([1, 1, 1]);
    app.clock.advance(MINUTE_MS);
    await plane().run();
    expect((await statusOf(broken!)).state).to.equal('ok');
  });

  it('that a process took and did not begin are due again after a quarter of an hour', async () => {
    rdap.answers.set('left.test', registration('left.test'));
    await watch('left.test');
    await plane().run(AbortSignal.abort());
    await plane().run();
    expect(asked('left.test')).to.equal(0);
    app.clock.advance(15 * MINUTE_MS);
    await plane().run();
    expect(asked('left.test')).to.equal(1);
  });

  it('are made once by two processes at the same time, for two tenants', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `twice${index}.test`);
    for (const name of names) {
      rdap.answers.set(name, registration(name));
      await watch(name);
      await watch(name, other);
    }
    await Promise.all([plane().run(), plane().run(), plane().run()]);
    expect(new Set(names.map(asked))).to.deep.equal(new Set([1]));
  });

  it('of a run end where the registry asks for a pause, and go on after it', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `calm${index}.com`);
    for (const name of names) {
      rdap.answers.set(name, sends(429, '', { 'retry-after': '1800' }));
      await watch(name);
    }
    await plane().run();
    const before = names.filter((name) => asked(name) > 0);
    expect(before).to.have.length.within(1, 4);
    for (const name of names) rdap.answers.set(name, registration(name));
    app.clock.advance(20 * MINUTE_MS);
    await plane().run();
    expect(names.filter((name) => asked(name) > 0)).to.deep.equal(before);
    app.clock.advance(10 * MINUTE_MS);
    await plane().run();
    expect(new Set(names.map(asked))).to.deep.equal(new Set([1]));
  });

  it('are held for twelve hours at most, and not by a moment in the past or by no moment', async () => {
    const year = String(365 * 86_400);
    rdap.answers.set('year.uk', sends(429, '', { 'retry-after': year }));
    rdap.answers.set('past.net', sends(503, '', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }));
    rdap.answers.set('none.org', sends(429, '', { 'retry-after': '-5, soon' }));
    const first = ['year.uk', 'past.net', 'none.org'];
    for (const name of first) await watch(name);
    await plane().run();
    expect(first.map(asked)).to.deep.equal([1, 1, 1]);
    const next = ['next.uk', 'next.net', 'next.org'];
    for (const name of next) {
      rdap.answers.set(name, registration(name));
      await watch(name);
    }
    await plane().run();
    expect(next.map(asked)).to.deep.equal([0, 1, 1]);
    app.clock.advance(12 * HOUR_MS);
    await plane().run();
    expect(asked('next.uk')).to.equal(1);
  });

  it('end with the last monitor, and do not begin earlier with a new one', async () => {
    rdap.answers.set('ends.test', registration('ends.test'));
    const ids = [await watch('ends.test'), await watch('ends.test', other)];
    await plane().run();
    await world.api('DELETE', `/api/v1/monitor/${ids[0]}`);
    app.clock.advance(12 * HOUR_MS);
    await plane().run();
    expect(asked('ends.test')).to.equal(2);
    await other.api('DELETE', `/api/v1/monitor/${ids[1]}`);
    const id = await watch('ends.test');
    await plane().run();
    expect([asked('ends.test'), (await statusOf(id)).state]).to.deep.equal([2, 'ok']);
    await world.api('DELETE', `/api/v1/monitor/${id}`);
    app.clock.advance(13 * HOUR_MS);
    await plane().run();
    expect(asked('ends.test')).to.equal(2);
    expect(await app.sql(`SELECT FROM domain WHERE name = 'ends.test'`)).to.deep.equal([]);
  });

  it('stay away from what is paused or beyond the plan, and then nothing is known', async () => {
    const third = await makeWorld(app);
    for (const name of ['paused.test', 'beyond.test']) rdap.answers.set(name, registration(name));
    const paused = await watch('paused.test');
    const beyond = await watch('beyond.test', third);
    const { run, due } = plane();
    await run();
    const put = await world.api('PUT', `/api/v1/monitor/${paused}`, {
      url: 'paused.test',
      monitorTypes: ['Domain'],
      monitoringStatus: 'paused',
    });
    expect(put.status).to.equal(200);
    const setPlan = (plan: string) =>
      app.sql(
        'UPDATE user_account SET plan = $1 WHERE id = (SELECT owner_id FROM workspace WHERE id = $2) RETURNING plan',
        [plan, third.workspaceId],
      );
    await setPlan('Pro');
    app.clock.advance(35 * HOUR_MS);
    await run();
    expect(['paused.test', 'beyond.test'].map(asked)).to.deep.equal([1, 1]);
    expect(await due()).to.equal(0);
    expect((await statusOf(beyond, third)).state).to.equal('ok');
    app.clock.advance(HOUR_MS);
    for (const [id, by] of [
      [paused, world],
      [beyond, third],
    ] as const)
      expect(await statusOf(id, by)).to.include({ state: null, registrar: 'Example Registrar' });
    await setPlan('Enterprise');
    await run();
    expect(asked('beyond.test')).to.equal(2);
  });

  describe('read an answer', () => {
    const servers: Server[] = [];
    const serve = async (server: Server): Promise<string> => {
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return `127.0.0.1:${(server.address() as AddressInfo).port}`;
    };
    const plain = async (listener: RequestListener) => `http://${await serve(createServer(listener))}/`;
    const overTls = async (listener: RequestListener) => {
      const { cert, key } = await selfSigned();
      return `https://${await serve(createTlsServer({ cert, key }, listener))}/`;
    };
    after(() => {
      for (const server of servers) {
        if ('closeAllConnections' in server) (server.closeAllConnections as () => void)();
        server.close();
      }
    });

    const bounds = { accept: 'application/json', mostBytes: 1_024 };
    const fails = async (url: string, by: typeof agent, why: RegExp, withinMs?: number) => {
      const answer = await fetchBounded(url, by, { ...bounds, ...(withinMs && { withinMs }) });
      expect(answer.statusCode === null && answer.why).to.match(why);
    };

    it('within its time, however slowly it drips', async () => {
      const url = await plain((_request, response) => {
        response.write('{');
        const timer = setInterval(() => response.write(' '), 20);
        response.on('close', () => clearInterval(timer));
      });
      await fails(url, agent, /no whole answer within 0.3 s/, 300);
    });

    it('after five redirects at most', async () => {
      let requests = 0;
      const url = await plain((_request, response) => {
        response.writeHead(302, { location: `/${++requests}` }).end();
      });
      await fails(url, agent, /more than 5 times/);
      expect(requests).to.equal(6);
    });

    it('over TLS that is trusted, and over nothing less after it', async () => {
      const answer = await plain((_request, response) => void response.end('{}'));
      const redirect = await overTls((_request, response) => void response.writeHead(302, { location: answer }).end());
      const whole = await overTls((_request, response) => void response.end('{}'));
      const broken = await plain((request) => request.socket.end('no TLS'));
      const trusting = newAgent();
      await fails(whole, agent, /could not be reached/);
      // As if the certificate were one of an authority that is trusted.
      process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
      try {
        await fails(broken.replace('http:', 'https:'), trusting, /could not be reached/);
        expect(await fetchBounded(whole, trusting, bounds)).to.include({ statusCode: 200, body: '{}' });
        await fails(redirect, trusting, /to another protocol/);
      } finally {
        delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
        await trusting.close();
      }
    });
  });
});

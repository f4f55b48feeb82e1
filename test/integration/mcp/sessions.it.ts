import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { expect } from 'chai';
import { ManualClock } from '@watchpost/shared/clock';
import { DAY_MS } from '@watchpost/shared/time';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { NOON } from '../../support/app.js';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { eventually } from '../../support/eventually.js';
import { startTestIssuer, type TestIssuer } from '../../support/issuer.js';
import { startMcpService, type McpService } from './mcp-service.js';
import { RpcClient } from './rpc-client.js';

const soon = <T>(what: string, probe: () => T | undefined | Promise<T | undefined>) => eventually(what, probe);

describe('MCP sessions', () => {
  let test: TestDatabase;
  let issuer: TestIssuer;
  let one: McpService;
  let other: McpService;
  let clock: ManualClock;
  const secretBox = createSecretBox(randomBytes(32));
  const start = () =>
    startMcpService({
      test,
      secretBox,
      clock,
      env: { HOST: '127.0.0.1', OIDC_ISSUER: issuer.issuer, OIDC_AUDIENCE: issuer.audience },
    });

  before(async () => {
    [test, issuer] = await Promise.all([createTestDatabase(), startTestIssuer()]);
    clock = new ManualClock(NOON);
    [one, other] = [await start(), await start()];
  });
  after(async () => {
    await one.stop();
    await other.stop();
    await issuer.stop();
    await test.drop();
  });

  async function begin(version = '2025-06-18'): Promise<RpcClient> {
    const client = new RpcClient(one.baseUrl);
    expect((await client.initialize(version)).status).to.equal(200);
    return client;
  }
  /** The same session as another process gets it. */
  async function at(service: McpService, { sessionId }: RpcClient): Promise<RpcClient> {
    const client = new RpcClient(service.baseUrl);
    client.sessionId = sessionId;
    return client;
  }

  it('have an id that is visible ASCII, another one each', async () => {
    const [first, second] = [await begin(), await begin()];
    expect(first.sessionId).to.match(/^[\x21-\x7e]{20,500}$/);
    expect(second.sessionId).to.not.equal(first.sessionId);
  });

  it('are good on every process of one database, with the protocol that they agreed on', async () => {
    const old = await at(other, await begin('2024-11-05'));
    const recent = await at(other, await begin('2025-06-18'));
    expect((await old.call('tools/list')).body.result.tools[0]).to.not.have.property('outputSchema');
    expect((await recent.call('tools/list')).body.result.tools[0]).to.have.property('outputSchema');
  });

  it('are good after a restart', async () => {
    const client = await begin();
    await one.stop();
    one = await start();
    expect((await (await at(one, client)).call('ping')).body.result).to.deep.equal({});
  });

  it('end by DELETE, everywhere and for good', async () => {
    const client = await begin();
    const elsewhere = await at(other, client);
    expect((await client.request('DELETE')).status).to.equal(204);
    for (const known of [client, elsewhere]) {
      const refused = await known.call('tools/list');
      expect([refused.status, refused.body.error.code]).to.deep.equal([404, -32000]);
      expect((await known.request('DELETE')).status).to.equal(404);
      expect((await known.request('GET')).status).to.equal(404);
    }
  });

  it('end after 30 days, and what is known of ended ones is forgotten then', async () => {
    const [client, ended] = [await begin(), await begin()];
    await ended.request('DELETE');
    const known = () => test.sql('SELECT id FROM mcp_ended_session');
    const before = (await known()).length;
    clock.advance(29 * DAY_MS);
    await one.plane.mcp.sessions.purge();
    expect((await known()).length).to.equal(before);
    expect((await client.call('ping')).status).to.equal(200);
    clock.advance(2 * DAY_MS);
    expect((await client.call('ping')).status).to.equal(404);
    await one.plane.mcp.sessions.purge();
    expect(await known()).to.deep.equal([]);
  });

  it('of nobody are unknown: forged, of another installation, malformed, huge', async () => {
    const stranger = createSecretBox(randomBytes(32)).seal('{}', 'mcp_session').toString('base64url');
    const real = (await begin()).sessionId!;
    const flipped = `${real.slice(0, -2)}${real.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const id of [stranger, flipped, 'x', '0190b1e6-0000-7000-8000-000000000000', 'a'.repeat(4_000), '%00', '{}']) {
      const client = new RpcClient(one.baseUrl);
      client.sessionId = id;
      const refused = await client.call('tools/list');
      expect([refused.status, refused.body.error.message], id.slice(0, 40)).to.deep.equal([
        404,
        'There is no such session: begin one with `initialize`, without this header.',
      ]);
    }
  });

  it('are not needed to call, and are for GET and DELETE', async () => {
    const client = new RpcClient(one.baseUrl);
    expect((await client.call('tools/list')).status).to.equal(200);
    expect((await client.request('DELETE')).status).to.equal(400);
    expect((await client.request('GET')).status).to.equal(400);
  });

  it('a new one begins whatever became of the old', async () => {
    const client = new RpcClient(one.baseUrl);
    client.sessionId = 'long-gone';
    const answer = await client.initialize('2025-11-25');
    expect([answer.status, answer.body.result.protocolVersion]).to.deep.equal([200, '2025-11-25']);
  });

  it('are begun by no page whose name was pointed at this machine', async () => {
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { host: 'evil.example', 'content-type': 'application/json' };
      const sent = request(`${one.baseUrl}/mcp`, { method: 'POST', headers }, (answer) =>
        resolve(answer.resume().statusCode!),
      );
      sent.once('error', reject).end('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    });
    expect(status).to.equal(403);
  });

  describe('an event stream', () => {
    /** Holds a stream open; `received` grows while it does. */
    function listen(client: RpcClient, headers: Record<string, string> = {}) {
      const stream = { status: 0, type: '', received: '', ended: false, hangUp: () => {} };
      const sent = request(
        `${client.baseUrl}/mcp`,
        { headers: { accept: 'text/event-stream', 'mcp-session-id': client.sessionId!, ...headers } },
        (answer) => {
          stream.status = answer.statusCode!;
          stream.type = answer.headers['content-type'] ?? '';
          answer.setEncoding('utf8').on('data', (text: string) => (stream.received += text));
          answer.once('end', () => (stream.ended = true));
        },
      );
      sent.on('error', () => {});
      stream.hangUp = () => sent.destroy();
      sent.end();
      return stream;
    }
    const streamsOpen = async () =>
      Number(/watchpost_mcp_streams (\d+)/.exec(await one.registry.metrics())?.[1] ?? Number.NaN);

    it('is held open with a heartbeat, and counted, until the client hangs up', async () => {
      const stream = listen(await begin());
      await soon('a heartbeat', () => stream.received.startsWith(': heartbeat\n\n') || undefined);
      expect([stream.status, stream.type]).to.deep.equal([200, 'text/event-stream']);
      expect(await streamsOpen()).to.equal(1);
      stream.hangUp();
      await soon('it is gone', async () => (await streamsOpen()) === 0 || undefined);
    });

    it('is one a session: the next takes its place, and the end of the session ends it', async () => {
      const client = await begin();
      const first = listen(client);
      await soon('the first is open', () => first.received !== '' || undefined);
      const second = listen(client);
      await soon('the first ended', () => first.ended || undefined);
      await soon('the second is open', () => second.received !== '' || undefined);
      await soon('one is counted', async () => (await streamsOpen()) === 1 || undefined);
      await client.request('DELETE');
      await soon('the second ended', () => second.ended || undefined);
      await soon('none is counted', async () => (await streamsOpen()) === 0 || undefined);
    });

    it('is one of at most 20 of an address', async () => {
      const streams = [];
      for (let count = 0; count < 20; count++) streams.push(listen(await begin()));
      await soon('all are open', async () => (await streamsOpen()) === 20 || undefined);
      const refused = listen(await begin());
      await soon('one is refused', () => refused.status === 429 || undefined);
      for (const stream of streams) stream.hangUp();
      await soon('all are gone', async () => (await streamsOpen()) === 0 || undefined);
    });

    it('ends when the process stops, which does not wait for it', async () => {
      const client = await at(other, await begin());
      const stream = listen(client);
      await soon('it is open', () => stream.received !== '' || undefined);
      await other.stop();
      await soon('it ended', () => stream.ended || undefined);
      other = await start();
    });

    it('is not for clients that take none', async () => {
      const client = await begin();
      expect((await client.request('GET', undefined, { accept: 'application/json' })).status).to.equal(406);
    });
  });
});

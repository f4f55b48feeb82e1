import { expect } from 'chai';
import { eventually } from '../../support/eventually.js';
import { startedForSuite } from '../../support/suite.js';
import { startIdentityService } from './identity-service.js';
import { MCP_CLIENT, startProviderWorld } from './provider-world.js';

describe('The embedded OpenID provider, where clients register themselves', () => {
  const world = startedForSuite(() => startProviderWorld());

  it('takes redirects to this machine and to https', async () => {
    for (const uri of [
      'http://localhost:33418/cb',
      'http://127.0.0.1/cb',
      'http://[::1]:7/cb',
      'https://assistant.example/cb',
    ]) {
      expect((await world.register({ ...MCP_CLIENT, redirect_uris: [uri] })).status, uri).to.equal(201);
    }
  });

  it('takes no others, and names the reason', async () => {
    for (const uri of [
      'http://elsewhere.example/cb',
      'myapp://cb',
      'com.example.app:/cb',
      'javascript:alert(1)',
      'https://a.example/#x',
      'nonsense',
    ]) {
      const { status, body } = await world.register({ ...MCP_CLIENT, redirect_uris: [uri] });
      expect([status, body['error']], uri).to.deep.equal([400, 'invalid_redirect_uri']);
    }
  });

  it('takes odd names, and refuses what is no registration', async () => {
    expect((await world.register({ ...MCP_CLIENT, client_name: 'a\0b \ud83d\ude00' })).status).to.be.oneOf([201, 400]);
    for (const body of ['[]', 'null', '{', '{"redirect_uris": 7}'])
      expect((await world.post('/oauth/register', body)).status, body).to.equal(400);
  });

  it('is forgotten after an hour where nothing comes of it, and 90 days after the last token', async () => {
    const [unused, used] = [await world.registered(), await world.registered()];
    expect((await world.tokensByBrowser(used)).status).to.equal(200);
    const ends = async (id: string) => {
      const [row] = await world.deps.db.read((tx) =>
        tx.query<{ at: Date }>(`SELECT expires_at AS at FROM provider_entity WHERE kind = 'Client' AND id = $1`, [id]),
      );
      return Math.round((row!.at.getTime() - Date.now()) / 3_600_000);
    };
    expect(await ends(unused)).to.equal(1);
    await eventually('the use is noted', async () => ((await ends(used)) === 90 * 24 ? true : undefined));
  });

  it('of more than a thousand leaves the latest, those in use first', async () => {
    const kept = await world.registered();
    expect((await world.tokensByBrowser(kept)).status).to.equal(200);
    await eventually('the use is noted', async () => ((await world.clientsInUse()).includes(kept) ? true : undefined));
    await world.deps.db.transaction((tx) =>
      tx.query(`INSERT INTO provider_entity (kind, id, payload, expires_at)
        SELECT 'Client', 'flood-' || n, '{}', now() + n * interval '1 ms' FROM generate_series(1, 1500) n`),
    );
    const last = await world.registered();
    const left = await world.deps.db.read((tx) =>
      tx.query<{ id: string }>(`SELECT id FROM provider_entity WHERE kind = 'Client'`),
    );
    expect(left).to.have.length(1_000);
    expect(left.map(({ id }) => id)).to.include.members([kept, last]);
  });

  it('of a confidential client gives it a secret of its own', async () => {
    const { body } = await world.register({
      redirect_uris: [],
      response_types: [],
      grant_types: ['client_credentials'],
      client_name: 'CI',
    });
    const { status, body: tokens } = await world.post(
      '/oauth/token',
      { grant_type: 'client_credentials', scope: 'account.read' },
      world.basic(body['client_id']!, body['client_secret']!),
    );
    expect(status).to.equal(200);
    const { body: workspaces } = await world.service.workspaces(tokens['access_token']!);
    expect(workspaces).to.have.length(1);
    expect(workspaces[0]).to.include({ role: 'Owner', name: "CI's workspace" });
  });

  // At the end: the address of the service is another one afterwards.
  it('is refused where it is the sixty-first in a minute from one address', async () => {
    const own = await startIdentityService(world.deps);
    const statuses: number[] = [];
    try {
      for (let count = 0; count < 61; count++)
        statuses.push((await fetch(`${own.url}/oauth/register`, { method: 'POST' })).status);
    } finally {
      await own.stop();
    }
    expect(statuses.slice(-2)).to.deep.equal([400, 429]);
  });
});

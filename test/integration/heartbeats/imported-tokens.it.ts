import { expect } from 'chai';
import { startTestApp } from '../../support/app.js';
import { seedHeartbeat, type World } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

describe('A heartbeat with a token of Uptime Kuma', () => {
  const app = appForSuite();
  const world = worldForSuite(app);
  const stranger = worldForSuite(app);

  let tokens = 0;
  const nextToken = () => `kuma${String(tokens++).padStart(28, '0')}`;
  const bodyOf = (importedToken: string) => ({
    name: 'Backup',
    monitorTypes: ['Heartbeat'],
    heartbeat: { every: 'PT1H', importedToken },
  });
  const imported = async (importedToken: string) => seedHeartbeat(world, bodyOf(importedToken));
  const push = async (token: string, query = '', init: RequestInit = {}) =>
    fetch(new URL(`/api/push/${token}${query}`, app.baseUrl), init);
  const pushed = async (token: string, query = '', init: RequestInit = {}) => {
    const answer = await push(token, query, init);
    expect(answer.status).to.equal(200);
    if (init.method !== 'HEAD') expect(await answer.json()).to.deep.equal({ ok: true });
  };
  const refusedAt = async (by: World, body: object) => {
    const answer = await by.api('POST', '/api/v1/monitor', body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
    return answer.body.details.map(({ path }: { path: string }) => path);
  };
  const pingsOf = async (id: string) => (await world.api('GET', `/api/v1/monitor/${id}/pings`)).body;

  it('goes on being reported by its push address, beside its ping URL', async () => {
    const token = nextToken();
    const { id, pingPath } = await imported(token);
    await pushed(token);
    await pushed(token, '?status=up&msg=OK&ping=12', { method: 'POST', body: 'ignored' });
    await pushed(token, '', { method: 'HEAD' });
    expect((await fetch(new URL(pingPath, app.baseUrl))).status).to.equal(200);
    expect((await world.api('GET', `/api/v1/monitor/${id}`)).body.healthStatus).to.equal('available');
    const pings = await pingsOf(id);
    expect(pings.map(({ kind, body }: { kind: string; body: string }) => [kind, body])).to.have.deep.members([
      ['success', null],
      ['success', 'OK\nping: 12 ms'],
      ['success', null],
      ['success', null],
    ]);
    await pushed(token, '?status=down&msg=disk%20full');
    const [incident] = (await world.api('GET', `/api/v1/incident?monitorId=${id}`)).body;
    const { context } = (await world.api('GET', `/api/v1/incident/${incident.id}`)).body;
    expect(context.heartbeat).to.deep.include({ kind: 'reported', body: 'disk full' });
  });

  it('answers its token to nobody, and records in the audit log that it has one', async () => {
    const token = nextToken();
    const created = await world.api('POST', '/api/v1/monitor', bodyOf(token));
    const { id } = created.body;
    const audit = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/audit?targetId=${id}`);
    for (const { body } of [created, audit, await world.api('GET', `/api/v1/monitor/${id}`)])
      expect(JSON.stringify(body)).to.not.contain(token);
    expect(audit.body[0].changes['heartbeat.importedToken']).to.deep.equal({ from: '***', to: '***' });
    const stored = await app.sql('SELECT hash::text FROM imported_ping_token WHERE monitor_id = $1', [id]);
    expect(stored).to.have.length(1);
  });

  it('loses it when its ping URL is rotated', async () => {
    const token = nextToken();
    const { id } = await imported(token);
    await pushed(token);
    await world.api('POST', `/api/v1/monitor/${id}/heartbeat/rotate`);
    expect((await push(token)).status).to.equal(404);
    expect(await refusedAt(world, { ...bodyOf(token), heartbeat: { importedToken: token } })).to.deep.equal([
      'heartbeat',
    ]);
  });

  it('shares it with no other monitor, in any workspace', async () => {
    const token = nextToken();
    const { id } = await imported(token);
    expect(await refusedAt(stranger, bodyOf(token))).to.deep.equal(['heartbeat.importedToken']);
    expect(await refusedAt(world, bodyOf(token))).to.deep.equal(['heartbeat.importedToken']);
    await pushed(token);
    expect(await pingsOf(id)).to.have.length(1);
    await world.api('DELETE', `/api/v1/monitor/${id}`);
    expect((await push(token)).status, 'deleted').to.equal(404);
    expect(await refusedAt(stranger, bodyOf(token))).to.deep.equal(['heartbeat.importedToken']);
    const again = await imported(token);
    await pushed(token);
    expect(await pingsOf(again.id)).to.have.length(1);
  });

  it('is reported at its push address alone, and by its ping token at its ping URL alone', async () => {
    const token = nextToken();
    const { pingPath } = await imported(token);
    expect((await fetch(new URL(`/ping/${token}`, app.baseUrl))).status).to.equal(404);
    expect((await push(pingPath.slice('/ping/'.length))).status).to.equal(404);
    expect((await push(token, '', { method: 'DELETE' })).status).to.equal(405);
  });

  it('takes one only when it is created, and only one that is hard to guess', async () => {
    expect(await refusedAt(world, bodyOf('short'))).to.deep.equal(['heartbeat.importedToken']);
    const { id } = await seedHeartbeat(world);
    const changed = await world.api('PUT', `/api/v1/monitor/${id}`, { heartbeat: { importedToken: nextToken() } });
    expect(changed.status).to.equal(400);
    expect(changed.body.details[0].path).to.equal('heartbeat.importedToken');
  });

  it('of a document gets it with the first apply, and no later one', async () => {
    const token = nextToken();
    const { name: _, ...job } = bodyOf(token);
    const document = { apiVersion: 'watchpost/v1', project: 'kuma', monitors: { job: { ...job, name: 'Job' } } };
    const apply = async () => (await world.api('POST', '/api/v1/config/apply', { document })).body;
    const { changes } = await apply();
    await pushed(token);
    expect((await apply()).summary).to.include({ unchanged: 1, update: 0 });
    await world.api('POST', `/api/v1/monitor/${changes[0].id}/heartbeat/rotate`);
    expect((await apply()).summary).to.include({ unchanged: 1, update: 0 });
    expect((await push(token)).status).to.equal(404);
  });

  it('is one of few that an address may try without knowing any', async () => {
    const limited = await startTestApp();
    try {
      const statuses = new Set<number>();
      for (let batch = 0; batch < 31; batch++) {
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, index) =>
            fetch(new URL(`/api/push/guess${batch}x${index}xxxxxxxx`, limited.baseUrl)).then(async (answer) => {
              await answer.arrayBuffer();
              return answer.status;
            }),
          ),
        );
        for (const status of answers) statuses.add(status);
      }
      expect([...statuses]).to.have.members([404, 429]);
    } finally {
      await limited.stop();
    }
  });
});

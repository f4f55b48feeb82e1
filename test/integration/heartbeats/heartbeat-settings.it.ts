import { expect } from 'chai';
import { seedHeartbeat, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

const NEW = { name: 'Backup', monitorTypes: ['Heartbeat'], heartbeat: { every: 'PT1H' } };

describe('A monitor of type Heartbeat', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Starter');

  const faultsOf = async (body: object): Promise<string[]> => {
    const answer = await world.api('POST', '/api/v1/monitor', body);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
    return answer.body.details.map(({ path }: { path: string }) => path);
  };

  it('has no URL, a ping URL and a schedule, on every plan', async () => {
    const { status, body } = await world.api('POST', '/api/v1/monitor', NEW);
    expect(status).to.equal(201);
    expect(body).to.deep.include({ name: 'Backup', url: null, healthStatus: null, regions: [], nextCheck: null });
    expect(body.heartbeat).to.deep.include({
      every: 'PT1H',
      cron: null,
      timezone: null,
      grace: 'PT5M',
      maxRuntime: null,
      lastPing: null,
      expectedBy: null,
    });
    expect(body.heartbeat.pingUrl).to.match(/^http.*\/ping\/[A-Za-z0-9_-]{32}$/);
    expect((await world.api('GET', '/api/v1/monitor?monitorType=Heartbeat')).body[0].heartbeat).to.deep.equal(
      body.heartbeat,
    );
    expect((await world.api('GET', `/api/v1/monitor/${(await seedMonitor(world)).id}`)).body.heartbeat).to.equal(null);
  });

  it('takes the time zone of the workspace for a cron expression without one', async () => {
    await app.sql("UPDATE workspace SET timezone = 'Asia/Kolkata' WHERE id = $1", [world.workspaceId]);
    const cron = { ...NEW, heartbeat: { cron: '30 2 * * *' } };
    const { body } = await world.api('POST', '/api/v1/monitor', cron);
    expect(body.heartbeat).to.include({ every: null, cron: '30 2 * * *', timezone: 'Asia/Kolkata' });
    const changed = await world.api('PUT', `/api/v1/monitor/${body.id}`, {
      heartbeat: { every: 'P1D', grace: 'PT1H' },
    });
    expect(changed.body.heartbeat).to.include({ every: 'PT24H', cron: null, timezone: null, grace: 'PT1H' });
    expect(changed.body.heartbeat.pingUrl).to.equal(body.heartbeat.pingUrl);
  });

  it('is refused with all that contradicts it', async () => {
    expect(await faultsOf({ monitorTypes: ['Heartbeat'] })).to.have.members(['name', 'heartbeat']);
    expect(await faultsOf({ ...NEW, url: 'https://shop.example/' })).to.deep.equal(['url']);
    expect(await faultsOf({ ...NEW, monitorTypes: ['Heartbeat', 'Latency'] })).to.deep.equal(['monitorTypes']);
    expect(await faultsOf({ ...NEW, heartbeat: { every: 'PT1H', cron: '* * * * *' } })).to.deep.equal(['heartbeat']);
    expect(
      await faultsOf({ ...NEW, heartbeat: { cron: '* * *', timezone: 'Nowhere', grace: 'PT1S', maxRuntime: 'P2D' } }),
    ).to.have.members(['heartbeat.cron', 'heartbeat.timezone', 'heartbeat.grace', 'heartbeat.maxRuntime']);
    expect(await faultsOf({ url: 'https://shop.example/', heartbeat: { every: 'PT1H' } })).to.deep.equal(['heartbeat']);
    expect(await faultsOf({ name: 'Shop' })).to.deep.equal(['url']);
    const { id } = await seedHeartbeat(world);
    const turned = await world.api('PUT', `/api/v1/monitor/${id}`, {
      url: 'https://shop.example/',
      monitorTypes: ['HttpAvailability'],
    });
    expect(turned.status).to.equal(400);
    expect(turned.body.details.map(({ path }: { path: string }) => path)).to.include('monitorTypes');
  });

  it('shows its ping URL to editors only, and another one after rotating it', async () => {
    const { id, pingPath } = await seedHeartbeat(world);
    const viewer = await world.member('Viewer');
    expect((await viewer.api('GET', `/api/v1/monitor/${id}`)).body.heartbeat.pingUrl).to.equal(null);
    const editor = await world.member('Editor');
    const { body: rotated } = await editor.api('POST', `/api/v1/monitor/${id}/heartbeat/rotate`);
    expect(new URL(rotated.heartbeat.pingUrl).pathname).to.not.equal(pingPath);
    expect((await editor.api('GET', `/api/v1/monitor/${id}`)).body.heartbeat.pingUrl).to.equal(
      rotated.heartbeat.pingUrl,
    );
    const [row] = await app.sql<{ row: string }>('SELECT monitor::text AS row FROM monitor WHERE id = $1', [id]);
    expect(row!.row, 'only sealed and hashed').to.not.contain(rotated.heartbeat.pingUrl.split('/').at(-1));
    const other = await seedMonitor(world);
    expect((await editor.api('POST', `/api/v1/monitor/${other.id}/heartbeat/rotate`)).status).to.equal(404);
  });
});

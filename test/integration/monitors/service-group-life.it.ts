import { expect } from 'chai';
import { monitorCheckSource } from '@watchpost/control-plane/capabilities/monitors/index';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import pino from 'pino';
import { DAY_MS } from '@watchpost/shared/time';
import { create, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

describe('a service group that is deleted and comes back', () => {
  const app = appForSuite();
  const world = worldForSuite(app);
  let groupId: string;
  let monitorId: string;

  before(async () => {
    groupId = (await create(world.api, '/api/v1/service-group', { name: 'Shop' })).id;
    monitorId = (await seedMonitor(world, { serviceGroupId: groupId })).id;
  });

  /** The regions in which agents check the monitor, from the changes that they receive. */
  async function regionsChecked(): Promise<string[]> {
    const deps = { secretBox: createSecretBox(Buffer.alloc(32)), logger: pino({ level: 'silent' }) };
    const key = await app.value<number>('SELECT key FROM monitor WHERE id = $1', [monitorId]);
    const { monitors } = await app.db.read((tx) => monitorCheckSource(deps).changed(tx, 0, 1_000));
    return monitors.find(({ monitorKey }) => monitorKey === key)!.places.map(({ region }) => region);
  }

  it('closes the incidents of its monitors and stops their checks, and starts these again with all that was set', async () => {
    const actionGroup = { name: 'Ops', recipients: ['ops@acme.example'] };
    const { id: actionGroupId } = await create(world.api, '/api/v1/action-groups/email', actionGroup);
    await create(world.api, `/api/v1/action-groups/${actionGroupId}/monitors/${monitorId}`);
    const incidentId = await seedIncident(world, monitorId);
    expect(await regionsChecked()).to.deep.equal(['northeurope']);

    await create(world.api, `/api/v1/service-group/${groupId}`, undefined, 'DELETE');
    const { body: incident } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    expect(incident).to.deep.include({ status: 'Resolved', isClosed: true, closedBy: null });
    expect((await world.api('GET', `/api/v1/monitor/${monitorId}`)).status).to.equal(404);
    expect(await regionsChecked()).to.deep.equal([]);
    const { body: uses } = await world.api('GET', `/api/v1/action-groups/${actionGroupId}`);
    expect(uses.monitorCount).to.equal(0);

    app.clock.advance(30 * DAY_MS);
    await create(world.api, `/api/v1/service-group/${groupId}/restore`);
    const { body: monitor } = await world.api('GET', `/api/v1/monitor/${monitorId}`);
    expect(monitor).to.deep.include({ serviceGroupId: groupId, monitoringStatus: 'enabled', healthStatus: null });
    expect(monitor.regions[0].status).to.equal('awaitingFirstChecks');
    expect(monitor.nextCheck).to.equal(new Date(app.clock.now()).toISOString());
    expect(await regionsChecked()).to.deep.equal(['northeurope']);
    const { body: again } = await world.api('GET', `/api/v1/action-groups/${actionGroupId}`);
    expect(again.monitorCount).to.equal(1);
    const { body: restarted } = await world.api('GET', `/api/v1/incident/${incidentId}`);
    expect(restarted.isClosed).to.equal(true);
  });

  it('is purged by the job of the service when its days are over', async () => {
    await create(world.api, `/api/v1/service-group/${groupId}`, undefined, 'DELETE');
    const purge = app.plane.jobs.find(({ name }) => name === 'purge_deleted_service_groups')!;
    app.clock.advance(90 * DAY_MS - 1);
    await purge.run();
    expect((await world.api('GET', '/api/v1/service-group?isDeleted=true')).body).to.have.length(1);
    app.clock.advance(1);
    await purge.run();
    const rows = await app.sql('SELECT 1 FROM monitor WHERE id = $1', [monitorId]);
    expect(rows).to.deep.equal([]);
    expect((await world.api('POST', `/api/v1/service-group/${groupId}/restore`)).status).to.equal(404);
  });
});

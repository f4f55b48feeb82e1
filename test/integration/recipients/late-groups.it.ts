import { expect } from 'chai';
import { create, seedMonitor } from '../../support/seed.js';
import { change, deliveriesOf, openIncident, seedGroup, seedHook, seedWatched } from '../../support/seed-alerts.js';
import { appForSuite, receiverForEach, worldForEach } from '../../support/suite.js';

interface Call {
  type: string;
  data: { incident: { id: string; acknowledged: boolean }; detail?: object };
}

describe('A group that is attached during an incident', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const world = worldForEach(app);
  const hook = receiverForEach();

  const run = () => app.plane.delivery.runDue();
  const calls = () => hook.calls.map(({ body }) => JSON.parse(body) as Call);
  const types = () => calls().map(({ type }) => type);
  const attach = (groupId: string, monitorId: string) =>
    create(world.api, `/api/v1/action-groups/${groupId}/monitors/${monitorId}`);
  const recover = (incidentId: string) => change(world, incidentId, { kind: 'recover' });
  const cover = (monitorId: string) =>
    create<{ id: string }>(world.api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      startsAt: 'now',
      duration: 'PT1H',
      scope: { monitorIds: [monitorId] },
    });

  it('is notified once that it is open, and then of the end', async () => {
    const first = await seedHook(world, `${hook.url}/first`);
    const monitorId = await seedWatched(world, first.id);
    const incidentId = await openIncident(world, monitorId);
    await run();
    const late = await seedHook(world, `${hook.url}/late`);
    await Promise.all([1, 2, 3].map(() => attach(late.id, monitorId)));
    await run();
    const path = `/api/v1/action-groups/${late.id}/monitors/${monitorId}`;
    await world.api('DELETE', path);
    await attach(late.id, monitorId);
    await run();
    await recover(incidentId);
    await run();
    const byPath = (name: string) =>
      hook.calls.filter(({ path: at }) => at === `/${name}`).map(({ body }) => (JSON.parse(body) as Call).type);
    expect(byPath('late')).to.deep.equal(['incident.opened', 'incident.resolved']);
    expect(byPath('first')).to.deep.equal(['incident.opened', 'incident.resolved']);
    expect(calls().map(({ data }) => data.detail)).to.deep.equal([undefined, undefined, undefined, undefined]);
  });

  it('is notified once where the notifications of its beginning have not been fanned out yet, also together with the end', async () => {
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world);
    const incidentId = await openIncident(world, monitorId);
    await attach(id, monitorId);
    await run();
    expect(types()).to.deep.equal(['incident.opened']);
    await recover(incidentId);
    await run();
    const second = await openIncident(world, monitorId);
    await recover(second);
    await run();
    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved', 'incident.opened', 'incident.resolved']);
  });

  it('is notified exactly once, however attaching and opening overlap', async () => {
    for (let round = 0; round < 12; round++) {
      const { id } = await seedHook(world, `${hook.url}/${round}`);
      const monitorId = await seedWatched(world);
      const [incidentId] = await Promise.all([openIncident(world, monitorId), attach(id, monitorId), run()]);
      await run();
      expect(
        types().filter((type) => type === 'incident.opened'),
        `round ${round}`,
      ).to.have.length(round + 1);
      await recover(incidentId);
      await run();
      expect(types().filter((type) => type === 'incident.resolved')).to.have.length(round + 1);
    }
  });

  it('is notified that somebody has acknowledged it', async () => {
    const { id } = await seedGroup(world, 'email', { recipients: [world.owner.email] });
    const monitorId = await seedWatched(world);
    const incidentId = await openIncident(world, monitorId);
    await world.api('PATCH', `/api/v1/incident/${incidentId}`, { acknowledged: true });
    await run();
    await attach(id, monitorId);
    await run();
    const subject = await app.value<{ incident: { acknowledged: boolean } }>(
      `SELECT subject FROM alert_event WHERE detail ->> 'groupId' = $1`,
      [id],
    );
    expect(subject.incident.acknowledged).to.equal(true);
    expect(await deliveriesOf(world, id)).to.have.length(1);
  });

  it('is notified neither in maintenance nor after a recovery, and then not of the end', async () => {
    const { id } = await seedHook(world, hook.url);
    const covered = await seedWatched(world);
    const incidentId = await openIncident(world, covered);
    await run();
    const window = await cover(covered);
    await attach(id, covered);
    await run();
    expect(types(), 'in maintenance').to.deep.equal([]);
    await world.api('DELETE', `/api/v1/maintenance-windows/${window.id}`);
    await recover(incidentId);
    await run();
    expect(types(), 'of the end').to.deep.equal([]);

    const well = await seedWatched(world);
    const waiting = await openIncident(world, well);
    await run();
    await change(world, waiting, { kind: 'recover', autoClose: false });
    await attach(id, well);
    await run();
    await world.api('PATCH', `/api/v1/incident/${waiting}`, { status: 'Resolved' });
    await run();
    expect(types()).to.deep.equal([]);
  });

  it('and one that is enabled, made for the monitor, or reaches somebody else, is notified too', async () => {
    const monitorId = await seedWatched(world);
    const disabled = await seedGroup(world, 'webhook', { url: `${hook.url}/disabled`, isEnabled: false });
    await attach(disabled.id, monitorId);
    const people = await seedGroup(world, 'email', { recipients: [world.owner.email] });
    await attach(people.id, monitorId);
    const incidentId = await openIncident(world, monitorId);
    await run();
    expect(types()).to.deep.equal([]);
    for (let twice = 0; twice < 2; twice++)
      await world.api('PUT', `/api/v1/action-groups/webhook/${disabled.id}`, {
        isEnabled: true,
        name: `Renamed ${twice}`,
      });
    await run();
    expect(types()).to.deep.equal(['incident.opened']);

    await world.api('PUT', `/api/v1/action-groups/email/${people.id}`, {
      recipients: [world.owner.email, 'second@example.com'],
    });
    await run();
    const notified = async () =>
      (await deliveriesOf(world, people.id))
        .map(({ destination, eventType }) => `${eventType} ${destination}`)
        .toSorted();
    expect(await notified()).to.deep.equal(
      [`incident.opened ${world.owner.email}`, 'incident.opened second@example.com'].toSorted(),
    );
    await recover(incidentId);
    await run();
    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved']);
  });

  it('is notified of the end where nothing is kept of the beginning any more', async () => {
    const { id } = await seedHook(world, hook.url);
    const monitorId = await seedWatched(world, id);
    const incidentId = await openIncident(world, monitorId);
    await run();
    await app.sql('DELETE FROM alert_event WHERE incident_id = $1', [incidentId]);
    await recover(incidentId);
    await run();
    expect(types()).to.deep.equal(['incident.opened', 'incident.resolved']);
  });

  it('is not notified of the end of a monitor whose beginning only others heard', async () => {
    const other = await seedHook(world, `${hook.url}/other`);
    const { id: monitorId } = await seedMonitor(world);
    await attach(other.id, monitorId);
    const late = await seedHook(world, `${hook.url}/late`);
    const incidentId = await openIncident(world, monitorId);
    await run();
    // As a version before this one attached it.
    await app.sql(
      'INSERT INTO action_group_monitor (group_id, monitor_key, attached) SELECT $1, key, now() FROM monitor WHERE id = $2',
      [late.id, monitorId],
    );
    await recover(incidentId);
    await run();
    expect(hook.calls.map(({ path }) => path)).to.deep.equal(['/other', '/other']);
  });
});

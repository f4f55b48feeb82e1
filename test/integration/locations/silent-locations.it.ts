import { expect } from 'chai';
import { locationWatcher } from '@watchpost/control-plane/capabilities/fleet/index';
import { seedHook } from '../../support/seed-alerts.js';
import { create, makeWorld } from '../../support/seed.js';
import { appForSuite, receiverForEach, worldForEach } from '../../support/suite.js';

const PATH = '/api/v1/private-locations';

describe('A private location of which nothing is known', () => {
  const app = appForSuite({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  const world = worldForEach(app, 'Enterprise');
  let locationId: string;
  let agentId: string;
  const hook = receiverForEach();
  let watch: () => Promise<void>;
  let other: () => Promise<void>;

  beforeEach(async () => {
    const { id: groupId } = await seedHook(world, hook.url);
    const body = { name: 'Office', slug: 'office', notifyActionGroupIds: [groupId] };
    locationId = (await create(world.api, PATH, body)).id;
    agentId = (await create(world.api, `${PATH}/${locationId}/agents`, { name: 'rack-1' })).id;
    [watch, other] = [locationWatcher(app), locationWatcher(app)];
    await pass(180);
  });

  /** Lets the time pass, in which both processes look. */
  async function pass(seconds: number): Promise<void> {
    for (let left = seconds; left > 0; left -= 30) {
      app.clock.advance(Math.min(left, 30) * 1_000);
      await Promise.all([watch(), other()]);
    }
  }
  const heartbeat = (visibility = 'seeing') =>
    app.sql('UPDATE agent SET last_seen = $2, visibility = $3 WHERE id = $1', [
      agentId,
      new Date(app.clock.now()),
      visibility,
    ]);
  const events = () =>
    app.db.read((tx) =>
      tx.column<string>('SELECT type FROM alert_event WHERE workspace_id = $1 ORDER BY seq', [world.workspaceId]),
    );
  const troubles = async (api = world.api): Promise<string[]> =>
    (await api('GET', '/api/v1/overview')).body.troubles
      .map(({ kind }: { kind: string }) => kind)
      .filter((kind: string) => kind.startsWith('location_'));

  it('is reported once by one of two processes, two minutes after the last agent, and once when one is back', async () => {
    expect(await events()).to.deep.equal([]);
    await heartbeat();
    await pass(90);
    expect(await events()).to.deep.equal([]);
    await pass(300);
    expect(await events()).to.deep.equal(['location.silent']);
    await heartbeat();
    await pass(30);
    expect(await events()).to.deep.equal(['location.silent', 'location.back']);
    const incidents = await world.api('GET', '/api/v1/incident');
    expect(incidents.body).to.deep.equal([]);
  });

  it('is reported at once where all of its agents are blind', async () => {
    await heartbeat('blind');
    await pass(30);
    expect(await events()).to.deep.equal(['location.silent']);
    await heartbeat();
    await pass(30);
    expect(await events()).to.deep.equal(['location.silent', 'location.back']);
  });

  it('is not reported by a process that has just begun to look, because agents may not have reported to it', async () => {
    await heartbeat();
    app.clock.advance(600_000);
    const young = locationWatcher(app);
    await young();
    await watch();
    expect(await events()).to.deep.equal([]);
  });

  it('is seen by Admins on the overview, and by nobody else', async () => {
    expect(await troubles()).to.deep.equal([]);
    await heartbeat();
    app.clock.advance(180_000);
    expect(await troubles()).to.deep.equal(['location_silent']);
    await heartbeat('blind');
    expect(await troubles()).to.deep.equal(['location_blind', 'location_outdated']);
    const editor = await world.member('Editor');
    expect(await troubles(editor.api)).to.deep.equal([]);
    const foreign = await makeWorld(app, 'Enterprise');
    expect(await troubles(foreign.api)).to.deep.equal([]);
  });

  it('reaches its action groups as messages that name it', async () => {
    await heartbeat();
    await pass(180);
    await heartbeat();
    await pass(30);
    await app.plane.delivery.runDue();
    const [silent, back, ...more] = hook.calls.map(({ body }) => JSON.parse(body));
    expect(more).to.deep.equal([]);
    const location = { id: locationId, name: 'Office', slug: 'office' };
    expect(silent).to.deep.include({ type: 'location.silent' });
    expect(silent.data.detail).to.deep.include({ location });
    expect(back).to.deep.include({ type: 'location.back' });
    expect(back.data).to.deep.include({ monitor: null, incident: null, detail: { location } });
    expect(hook.calls[0]!.body).not.to.contain('groupIds');
  });
});

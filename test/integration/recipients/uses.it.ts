import { expect } from 'chai';
import { create, makeWorld, nobodysId, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

const EMAIL = { name: 'Operators', recipients: ['ops@example.com'] };

describe('Monitors and their action groups', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  const newGroup = async (name = 'Operators') =>
    (await create(world.api, '/api/v1/action-groups/email', { ...EMAIL, name })).id;
  const group = async (id: string) => (await world.api('GET', `/api/v1/action-groups/${id}`)).body;
  const path = (id: string, monitorId: string) => `/api/v1/action-groups/${id}/monitors/${monitorId}`;
  const groupsOf = async (monitorId: string): Promise<string[]> => {
    const { body } = await world.api('GET', `/api/v1/monitor/${monitorId}/action-groups`);
    return body.map(({ name }: { name: string }) => name);
  };
  const setDefaults = (defaultActionGroupIds: string[]) =>
    world.api('PATCH', `/api/v1/workspaces/${world.workspaceId}`, { settings: { defaultActionGroupIds } });

  it('are attached and counted once, however many requests run concurrently', async () => {
    const id = await newGroup();
    const monitors = await Promise.all([1, 2, 3].map(() => seedMonitor(world)));
    const answers = await Promise.all(
      [...monitors, ...monitors].map((monitor) => world.api('POST', path(id, monitor.id))),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
    expect(Math.max(...answers.map(({ body }) => body.monitorCount))).to.equal(3);
    expect((await group(id)).monitorCount).to.equal(3);
    const { body: list } = await world.api('GET', '/api/v1/action-groups');
    expect(list[0]).to.deep.equal(await group(id));
  });

  it('are detached once: a second request is not found', async () => {
    const [id, monitor] = [await newGroup(), await seedMonitor(world)];
    await create(world.api, path(id, monitor.id));
    const answers = await Promise.all([1, 2].map(() => world.api('DELETE', path(id, monitor.id))));
    expect(answers.map(({ status }) => status)).to.have.members([204, 404]);
    expect((await group(id)).monitorCount).to.equal(0);
  });

  it('belong to one workspace: those of another are neither attached nor notified', async () => {
    const foreign = await makeWorld(app);
    const [id, theirs] = [await newGroup(), await seedMonitor(foreign)];
    const mine = await seedMonitor(world);
    expect((await world.api('POST', path(id, theirs.id))).status).to.equal(404);
    expect((await foreign.api('POST', path(id, mine.id))).status).to.equal(404);
    expect((await foreign.api('POST', path(id, theirs.id))).status).to.equal(404);
    expect((await foreign.api('GET', '/api/v1/action-groups')).body).to.deep.equal([]);
    expect(await app.sql('SELECT 1 FROM action_group_monitor WHERE group_id = $1', [id])).to.deep.equal([]);
  });

  it('are detached when a monitor is deleted, also concurrently with attaching', async () => {
    const id = await newGroup();
    for (let round = 0; round < 8; round++) {
      const monitor = await seedMonitor(world);
      const [attached, deleted] = await Promise.all([
        world.api('POST', path(id, monitor.id)),
        world.api('DELETE', `/api/v1/monitor/${monitor.id}`),
      ]);
      expect(deleted.status).to.equal(204);
      expect(attached.status).to.be.oneOf([200, 404]);
      expect((await group(id)).monitorCount).to.equal(0);
      expect((await world.api('POST', path(id, monitor.id))).status).to.equal(404);
    }
  });

  it('are attached again when a monitor is restored with its service group', async () => {
    const [id, gone] = [await newGroup('Kept'), await newGroup('Deleted meanwhile')];
    const { id: serviceGroupId } = await create(world.api, '/api/v1/service-group', { name: 'Shop' });
    const monitor = await seedMonitor(world, { serviceGroupId });
    for (const one of [id, gone]) await create(world.api, path(one, monitor.id));
    expect((await world.api('DELETE', `/api/v1/service-group/${serviceGroupId}`)).status).to.equal(204);
    expect((await group(id)).monitorCount).to.equal(0);
    expect((await world.api('DELETE', path(id, monitor.id))).status, 'it is not there meanwhile').to.equal(404);
    expect((await world.api('DELETE', `/api/v1/action-groups/${gone}`)).status).to.equal(204);
    await create(world.api, `/api/v1/service-group/${serviceGroupId}/restore`);
    expect((await group(id)).monitorCount).to.equal(1);
    expect(await groupsOf(monitor.id)).to.deep.equal(['Kept']);
  });

  it('lose a deleted group, also in the defaults of the workspace', async () => {
    const [one, other] = [await newGroup('One'), await newGroup('Other')];
    const monitor = await seedMonitor(world);
    for (const id of [one, other]) await create(world.api, path(id, monitor.id));
    expect((await setDefaults([one, other])).status).to.equal(200);
    const before = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`);
    expect((await world.api('DELETE', `/api/v1/action-groups/${one}`)).status).to.equal(204);
    expect(await groupsOf(monitor.id)).to.deep.equal(['Other']);
    const after = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`);
    expect(after.body.settings.defaultActionGroupIds).to.deep.equal([other]);
    expect(after.headers.get('etag')).to.not.equal(before.headers.get('etag'));
  });

  it('are attached by the defaults of the workspace to new monitors only', async () => {
    const older = await seedMonitor(world);
    const [one, other] = [await newGroup('One'), await newGroup('Other')];
    await newGroup('No default');
    expect((await setDefaults([one, other])).status).to.equal(200);
    const newer = await seedMonitor(world);
    expect(await groupsOf(newer.id)).to.have.members(['One', 'Other']);
    expect(await groupsOf(older.id)).to.deep.equal([]);
  });

  it('accept only existing groups as defaults', async () => {
    const foreign = await makeWorld(app);
    const { id: theirs } = await create(foreign.api, '/api/v1/action-groups/email', EMAIL);
    const mine = await newGroup();
    for (const id of [theirs, nobodysId()]) expect((await setDefaults([mine, id])).status).to.equal(404);
    expect((await setDefaults(['x'])).status).to.equal(400);
    const { body } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`);
    expect(body.settings.defaultActionGroupIds).to.deep.equal([]);
  });

  it('never have a default group that was deleted concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const id = await newGroup();
      const [, deleted, made] = await Promise.all([
        setDefaults([id]),
        world.api('DELETE', `/api/v1/action-groups/${id}`),
        world.api('POST', '/api/v1/monitor', { url: 'https://shop.example/' }),
      ]);
      expect([deleted.status, made.status]).to.deep.equal([204, 201]);
      const { body } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`);
      expect(body.settings.defaultActionGroupIds).to.deep.equal([]);
      expect(await groupsOf(made.body.id)).to.deep.equal([]);
    }
  });

  it('are deleted with their workspace', async () => {
    const [id, monitor] = [await newGroup(), await seedMonitor(world)];
    await create(world.api, path(id, monitor.id));
    expect((await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}`)).status).to.equal(204);
    expect(await app.sql('SELECT id FROM action_group WHERE id = $1', [id])).to.deep.equal([]);
    expect(await app.sql('SELECT 1 FROM action_group_monitor WHERE group_id = $1', [id])).to.deep.equal([]);
  });
});

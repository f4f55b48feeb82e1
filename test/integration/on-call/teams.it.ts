import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import type { Actor } from '@watchpost/control-plane/platform/identity/caller';
import { addOverride } from '@watchpost/control-plane/capabilities/on-call/overrides';
import { addTeamMember, removeTeamMember } from '@watchpost/control-plane/capabilities/on-call/team-members';
import { createTeam } from '@watchpost/control-plane/capabilities/on-call/teams';
import { routeServiceGroup } from '@watchpost/control-plane/capabilities/on-call/routing';
import { setSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule';
import { removeMember } from '@watchpost/control-plane/capabilities/workspaces/members';
import { pagingOfTeams } from '@watchpost/control-plane/capabilities/paging/index';
import type { TestMember } from '../../support/app.js';
import { create, nobodysId } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { seedRotation, seedTeam, TEAMS } from './world.js';
import { TEST_VIA } from '../../support/via.js';

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

describe('teams', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  const deps = () => ({
    db: app.db,
    clock: app.clock,
    baseUrl: app.baseUrl,
    sendMail: async () => {},
    reachOf: async () => [],
    paging: pagingOfTeams({ clock: app.clock }),
    hearingGroups: async () => new Set<string>(),
  });

  function actorOf({ userId, memberId, role }: Pick<TestMember, 'userId' | 'memberId' | 'role'>): Actor {
    return {
      caller: {
        userId,
        credential: { type: 'token', issuer: 'https://issuer.test', subject: userId, clientId: null },
        scopes: new Set(),
      },
      workspace: { workspaceId: world.workspaceId, memberId, role, ownerId: world.owner.userId },
      via: TEST_VIA,
    };
  }
  const owner = async () => actorOf(await world.member('Owner'));

  it('cannot exceed the limit of all workspaces of the owner, also by concurrent creation', async () => {
    await app.setPlan('Growth', {}, world.owner);
    const elsewhere: Actor = {
      ...(await owner()),
      workspace: { ...(await owner()).workspace, workspaceId: world.owner.workspaceId },
    };
    const actors = [await owner(), elsewhere];
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        codeOf(createTeam(deps(), actors[index % 2]!, { name: `Team ${index}`, description: null })),
      ),
    );
    expect(answers.filter((code) => code === 'done')).to.have.length(3);
    expect(answers.filter((code) => code === 'plan_limit_exceeded')).to.have.length(5);
    const { body } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}`);
    expect(body.usage.teams).to.equal(3);
  });

  it('accept active members of the workspace, each once', async () => {
    const { id } = await create(world.api, TEAMS, { name: 'Night watch' });
    const add = (userId: string) => world.api('POST', `${TEAMS}/${id}/members`, { userId, teamRole: 'lead' });
    const { userId } = await world.member('Viewer');
    const added = await add(userId);
    expect([added.status, added.body.userId, added.body.teamRole]).to.deep.equal([201, userId, 'lead']);
    expect((await add(userId)).body.error).to.equal('already_member');
    expect((await add((await app.user()).userId)).status).to.equal(404);
    const { userId: suspended } = await world.member('Editor');
    await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE workspace_id = $1 AND user_id = $2`, [
      world.workspaceId,
      suspended,
    ]);
    expect((await add(suspended)).body.details[0].path).to.equal('userId');
    const together = await Promise.all(
      Array.from({ length: 4 }, async () =>
        codeOf(addTeamMember(deps(), await owner(), id, { userId: world.owner.userId, teamRole: 'member' })),
      ),
    );
    expect(together.toSorted()).to.deep.equal(['already_member', 'already_member', 'already_member', 'done']);
  });

  it('do not keep a member in the rotation who is removed while becoming a participant', async () => {
    const admin = await owner();
    for (let round = 0; round < 6; round++) {
      const user = await app.user();
      const memberId = newId(app.clock.now());
      await app.sql(
        `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, 'Editor', now(), now())`,
        [memberId, world.workspaceId, user.userId],
      );
      const { id } = await createTeam(deps(), admin, { name: `Team ${round}`, description: null });
      await addTeamMember(deps(), admin, id, { userId: user.userId, teamRole: 'member' });
      const workspaces = {
        ...deps(),
        listeners: [],
        onChecksChanged: () => {},
        reachableAfter: () => Promise.resolve(() => Promise.resolve()),
        missingActionGroups: () => Promise.resolve([]),
      };
      const span = { start: app.clock.now(), end: app.clock.now() + 3_600_000, reason: null };
      const [scheduled, overridden, added, removed] = await Promise.all([
        codeOf(setSchedule(deps(), admin, id, { rotation: 'daily', participants: [user.userId] })),
        codeOf(addOverride(deps(), admin, { id }, { userId: user.userId, ...span })),
        codeOf(addTeamMember(deps(), admin, id, { userId: user.userId, teamRole: 'lead' })),
        codeOf(removeMember(workspaces, admin, memberId)),
      ]);
      expect(removed).to.equal('done');
      expect(scheduled).to.be.oneOf(['done', 'validation_failed']);
      expect(overridden).to.be.oneOf(['done', 'validation_failed']);
      expect(added).to.be.oneOf(['already_member', 'not_found']);
      for (const table of ['team_member', 'on_call_participant', 'on_call_override']) {
        expect(await app.sql(`SELECT 1 FROM ${table} WHERE user_id = $1`, [user.userId]), table).to.deep.equal([]);
      }
    }
  });

  it('leave nothing behind when they, their workspace or a member are deleted', async () => {
    const team = await seedRotation(world);
    await removeTeamMember(deps(), await owner(), { id: team.id, userId: team.bob.userId });
    const other = await seedRotation(world);
    await create(world.api, `${other.path}/schedule/overrides`, {
      userId: other.ann.userId,
      start: '2026-11-21T10:00:00Z',
      end: '2026-11-21T20:00:00Z',
    });
    expect((await world.api('DELETE', other.path)).status).to.equal(204);
    expect((await world.api('DELETE', other.path)).status).to.equal(404);
    expect((await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}`)).status).to.equal(204);
    for (const table of ['team', 'team_member', 'on_call_schedule', 'on_call_participant', 'on_call_override']) {
      const rows = await app.sql(`SELECT 1 FROM ${table} WHERE workspace_id = $1`, [world.workspaceId]);
      expect(rows, table).to.deep.equal([]);
    }
  });

  it('keep at most 500 overrides and delete the oldest past ones first', async () => {
    const team = await seedRotation(world);
    const fill = (count: number, ends: string) =>
      app.sql(
        `INSERT INTO on_call_override (id, workspace_id, team_id, schedule_id, user_id, starts, ends, created)
         SELECT gen_random_uuid(), $1, $2, schedule.id, $3, $5::timestamptz - interval '1 hour', $5, now()
         FROM on_call_schedule schedule, generate_series(1, $4) WHERE schedule.team_id = $2`,
        [world.workspaceId, team.id, team.ann.userId, count, ends],
      );
    const add = () =>
      world.api('POST', `${team.path}/schedule/overrides`, {
        userId: team.bob.userId,
        start: '2026-11-21T10:00:00Z',
        end: '2026-11-21T20:00:00Z',
      });
    await fill(499, '2026-11-01T00:00:00Z');
    await fill(1, '2026-01-01T00:00:00Z');
    expect((await add()).status).to.equal(201);
    const refused = await add();
    expect([refused.status, refused.body.error]).to.deep.equal([400, 'validation_failed']);
    expect((await world.api('GET', `${team.path}/schedule`)).body.overrides).to.have.length(500);
  });

  it('are shown by the service groups routed to them; a deleted group is routed again when it is restored', async () => {
    const [team, other] = [await seedTeam(world), await seedTeam(world)];
    const group = await create(world.api, '/api/v1/service-group', { name: 'Checkout' });
    const path = `${team.path}/service-groups/${group.id}`;
    const routed = await world.api('PUT', path);
    expect([routed.status, routed.body]).to.deep.equal([200, { serviceGroupId: group.id, teamId: team.id }]);
    expect((await world.api('PUT', path)).status).to.equal(200);
    app.clock.advance(1_000);
    await create(world.api, `${other.path}/service-groups/${group.id}`, undefined, 'PUT');
    const groupPath = `/api/v1/service-group/${group.id}`;
    expect((await world.api('GET', groupPath)).body.routedTeamIds).to.deep.equal([team.id, other.id]);
    const list = () => world.api('GET', `${team.path}/service-groups`);
    expect((await list()).body).to.deep.equal([{ serviceGroupId: group.id, teamId: team.id, name: 'Checkout' }]);
    expect((await world.api('DELETE', groupPath)).status).to.equal(204);
    expect((await list()).body).to.deep.equal([]);
    expect((await world.api('PUT', path)).status).to.equal(404);
    expect((await world.api('DELETE', path)).status).to.equal(404);
    await create(world.api, `${groupPath}/restore`);
    expect((await list()).body).to.have.length(1);
    expect((await world.api('DELETE', path)).status).to.equal(204);
    expect((await world.api('DELETE', path)).status).to.equal(404);
    expect(
      await codeOf(routeServiceGroup(deps(), await owner(), { id: team.id, serviceGroupId: nobodysId() })),
    ).to.equal('not_found');
  });

  it('are changed by merge patch, which changes the ETag', async () => {
    const { id } = await create(world.api, TEAMS, { name: 'Night watch', description: 'At night' });
    const path = `${TEAMS}/${id}`;
    const patch = (body: object, headers = {}) => world.api('PATCH', path, body, headers);
    const tag = (await world.api('GET', path)).headers.get('etag')!;
    expect((await patch({})).headers.get('etag')).to.equal(tag);
    expect((await patch({ description: null }, { 'if-match': tag })).body).to.deep.include({
      name: 'Night watch',
      description: null,
    });
    expect((await patch({ name: 'Day watch' }, { 'if-match': tag })).status).to.equal(412);
    expect((await patch({ name: null })).body.details[0].path).to.equal('name');
  });
});

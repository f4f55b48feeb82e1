import { expect } from 'chai';
import type { TestUser } from '../../support/app.js';
import { create, makeWorld, nobodysId, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, startedForEach, worldForEach } from '../../support/suite.js';

interface MonitorRow {
  id: string;
  monitoring_status: string;
  revision: number;
  deleted_at: Date | null;
}

describe('A workspace', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  let path: string;

  beforeEach(() => {
    path = `/api/v1/workspaces/${world.workspaceId}`;
  });

  const monitorsOf = (workspaceId: string) =>
    app.sql<MonitorRow>('SELECT * FROM monitor WHERE workspace_id = $1 ORDER BY created, id', [workspaceId]);

  describe('that is made', () => {
    it("is its maker's, whose plan holds in it", async () => {
      const user = await app.user();
      await app.setPlan('Growth', {}, user);
      const { status, body, headers } = await user.api('POST', '/api/v1/workspaces', {
        name: ' Web team ',
        settings: { timezone: 'Europe/Dublin', incidentQuorum: 'all' },
      });
      expect(status).to.equal(201);
      expect(body).to.include({
        name: 'Web team',
        isPersonal: false,
        role: 'Owner',
        plan: 'Growth',
        ownerId: user.userId,
      });
      expect(body.settings).to.deep.equal({
        timezone: 'Europe/Dublin',
        autoCloseIncidents: true,
        incidentQuorum: 'all',
        defaultActionGroupIds: [],
        roleMapping: {},
      });
      const { body: again } = await user.api('GET', headers.get('location')!);
      expect(again).to.deep.equal(body);
      expect((await user.api('GET', '/api/v1/workspaces')).body).to.have.length(2);
    });

    it('is one of a hundred that an account owns at most, however many are made at once', async () => {
      const user = await app.user();
      await app.sql(
        `INSERT INTO workspace (id, name, owner_id, created, last_modified)
         SELECT gen_random_uuid(), 'w', $1, now(), now() FROM generate_series(1, 97)`,
        [user.userId],
      );
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => user.api('POST', '/api/v1/workspaces', { name: 'More' })),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
        201, 201, 403, 403, 403, 403,
      ]);
    });

    it('needs a name, and takes no field that there is not', async () => {
      for (const body of [
        {},
        { name: ' ' },
        { name: 'a'.repeat(201) },
        { name: 'A', plan: 'Pro' },
        { name: 'A', isPersonal: true },
      ]) {
        expect((await world.api('POST', '/api/v1/workspaces', body)).status).to.equal(400);
      }
    });
  });

  describe('that is changed', () => {
    it('keeps what the patch does not name, and null sets a setting back', async () => {
      const settings = { timezone: 'Asia/Kolkata', autoCloseIncidents: false, incidentQuorum: 'any' };
      await world.api('PATCH', path, { name: 'Renamed', settings });
      const { body } = await world.api('PATCH', path, { settings: { incidentQuorum: null } });
      expect(body.name).to.equal('Renamed');
      expect(body.settings).to.deep.equal({
        ...settings,
        incidentQuorum: 'majority',
        defaultActionGroupIds: [],
        roleMapping: {},
      });
      const { body: reset } = await world.api('PATCH', path, { settings: null });
      expect(reset.settings).to.include({ timezone: 'UTC', autoCloseIncidents: true });
    });

    it('has its verdicts decided again where quorum or closing changed, and only then', async () => {
      await seedMonitor(world);
      const due = async () => {
        const rows = await app.sql<{ due: boolean }>(
          'SELECT decide_at <= $2 AS due FROM monitor_state WHERE workspace_id = $1',
          [world.workspaceId, new Date(app.clock.now())],
        );
        return rows.map((row) => row.due);
      };
      const forget = () => app.sql("UPDATE monitor_state SET decide_at = '2100-01-01'");
      await forget();
      await world.api('PATCH', path, { name: 'Another', settings: { timezone: 'Europe/Paris' } });
      expect(await due()).to.deep.equal([false]);
      await world.api('PATCH', path, { settings: { incidentQuorum: 'all' } });
      expect(await due()).to.deep.equal([true]);
      await forget();
      await world.api('PATCH', path, { settings: { autoCloseIncidents: false } });
      expect(await due()).to.deep.equal([true]);
    });

    it('is changed by Admins, and by nobody who read it as it was', async () => {
      const editor = await world.member('Editor');
      expect((await editor.api('PATCH', path, { name: 'Mine' })).status).to.equal(403);
      const admin = await world.member('Admin');
      const { headers } = await admin.api('GET', path);
      const tag = { 'if-match': headers.get('etag')! };
      expect((await admin.api('PATCH', path, { name: 'Ours' }, tag)).status).to.equal(200);
      expect((await admin.api('PATCH', path, { name: 'Yours' }, tag)).status).to.equal(412);
    });

    it('keeps its tag while its monitors come and go', async () => {
      const before = (await world.api('GET', path)).headers.get('etag');
      await seedMonitor(world);
      const after = await world.api('GET', path);
      expect([after.headers.get('etag'), after.body.usage.monitors]).to.deep.equal([before, 1]);
    });

    it('takes no setting that cannot be', async () => {
      for (const [settings, fault] of [
        [{ timezone: 'Mars/Base' }, 'settings.timezone'],
        [{ timezone: '+01:00' }, 'settings.timezone'],
        [{ incidentQuorum: 'most' }, 'settings.incidentQuorum'],
        [{ autoClose: true }, 'settings.autoClose'],
        [{ defaultActionGroupIds: ['x'] }, 'settings.defaultActionGroupIds.0'],
      ] as const) {
        const { status, body } = await world.api('PATCH', path, { settings });
        expect([status, body.details?.[0].path]).to.deep.equal([400, fault]);
      }
      const unknown = await world.api('PATCH', path, { settings: { defaultActionGroupIds: [nobodysId()] } });
      expect(unknown.status).to.equal(404);
    });
  });

  describe('that is deleted', () => {
    it('goes with all that is in it, and agents hear that its monitors are gone', async () => {
      const { id } = await seedMonitor(world);
      await seedIncident(world, id);
      const [before] = await monitorsOf(world.workspaceId);
      expect((await world.api('DELETE', path)).status).to.equal(204);
      expect((await world.api('GET', path)).status).to.equal(404);
      expect((await world.api('DELETE', path)).status).to.equal(404);
      const [after] = await monitorsOf(world.workspaceId);
      expect(after!.deleted_at!.getTime()).to.equal(app.clock.now());
      expect(after!.revision).to.be.greaterThan(before!.revision);
      expect(await app.sql('SELECT FROM incident WHERE workspace_id = $1', [world.workspaceId])).to.deep.equal([]);
      expect(await app.sql('SELECT FROM monitor_state WHERE workspace_id = $1', [world.workspaceId])).to.deep.equal([]);
    });

    it('leaves nothing of its own behind but tombstones, raw results, events and the audit log, which run out', async () => {
      const { id } = await seedMonitor(world);
      await seedIncident(world, id);
      await create(world.api, '/api/v1/service-group', { name: 'Shop' });
      const group = { name: 'Ops', recipients: ['ops@example.test'] };
      await create(world.api, '/api/v1/action-groups/email', group);
      const team = await create(world.api, '/api/v1/teams', { name: 'Web' });
      await create(world.api, `/api/v1/teams/${team.id}/members`, { userId: world.owner.userId, teamRole: 'lead' });
      await create(world.api, `${path}/invitations`, { email: 'ann@example.test', role: 'Viewer' });
      const columns = await app.sql<{ table: string }>(
        `SELECT c.table_name AS table FROM information_schema.columns c
         JOIN information_schema.tables t USING (table_schema, table_name)
         WHERE c.column_name = 'workspace_id' AND c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
           AND c.table_name NOT IN ('monitor', 'idempotency_key', 'audit_entry', 'workspace_event')`,
      );
      const left = async () => {
        const found: string[] = [];
        for (const { table } of columns) {
          const rows = await app.sql(`SELECT FROM "${table}" WHERE workspace_id = $1 LIMIT 1`, [world.workspaceId]);
          if (rows.length > 0) found.push(table);
        }
        return found;
      };
      expect(await left()).to.include.members(['incident', 'service_group', 'action_group', 'team', 'invitation']);
      expect((await world.api('DELETE', path)).status).to.equal(204);
      expect(await left()).to.deep.equal([]);
    });

    it('is not the personal one, and only its Owner deletes it', async () => {
      const own = await world.owner.api('DELETE', `/api/v1/workspaces/${world.owner.workspaceId}`);
      expect([own.status, own.body.error]).to.deep.equal([409, 'personal_workspace']);
      const admin = await world.member('Admin');
      expect((await admin.api('DELETE', path)).status).to.equal(403);
      const foreign = await makeWorld(app);
      expect((await foreign.api('DELETE', path)).status).to.equal(404);
    });
  });

  it('is the one that the request before worked in, where a request names none', async () => {
    const { api, userId } = world.owner;
    const [first, second] = [world.workspaceId, world.owner.workspaceId];
    for (const workspaceId of [first, second, first]) {
      await app.as(world.owner.sub, { workspaceId })('GET', '/api/v1/monitor');
    }
    expect((await api('POST', '/api/v1/monitor', { url: 'https://a.example/' })).body.workspaceId).to.equal(first);
    await api('GET', `/api/v1/workspaces/${second}`);
    expect((await api('POST', '/api/v1/monitor', { url: 'https://b.example/' })).body.workspaceId).to.equal(second);
    expect((await api('GET', '/api/v1/user')).body.id).to.equal(userId);
  });

  describe('that is handed over', () => {
    const heir = startedForEach(() => world.member('Editor'));
    const transfer = (memberId: string, by: Pick<TestUser, 'sub'> = world.owner) =>
      world.as(by)('POST', `${path}/transfer-ownership`, { memberId });

    it('has one Owner, and the former one is an Admin', async () => {
      const { status, body } = await transfer(heir.memberId);
      expect([status, body.role, body.ownerId, body.plan]).to.deep.equal([200, 'Admin', heir.userId, 'Starter']);
      const { body: members } = await heir.api('GET', `${path}/members`);
      expect(members.map(({ userId, role }: { userId: string; role: string }) => [userId, role])).to.have.deep.members([
        [heir.userId, 'Owner'],
        [world.owner.userId, 'Admin'],
      ]);
      expect((await transfer(heir.memberId)).body.error).to.equal('insufficient_workspace_role');
    });

    it('goes to one of those to whom it is handed at once', async () => {
      const other = await world.member('Viewer');
      const answers = await Promise.all([transfer(heir.memberId), transfer(other.memberId), transfer(heir.memberId)]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 403, 403]);
      const owners = await app.sql<{ user_id: string }>(
        `SELECT m.user_id FROM workspace_member m JOIN workspace w ON w.id = m.workspace_id AND w.owner_id = m.user_id
         WHERE w.id = $1 AND m.role = 'Owner'`,
        [world.workspaceId],
      );
      expect(owners).to.have.length(1);
    });

    it("has the new owner's limits at once: the newest that are too many are paused, and their incidents closed", async () => {
      await app.setPlan('Starter', { monitors: 2 }, heir);
      const ids: string[] = [];
      for (let n = 0; n < 4; n++) {
        app.clock.advance(1_000);
        ids.push((await seedMonitor(world, { name: `m${n}`, enabledRegions: n === 0 ? ['eastus2'] : [] })).id);
      }
      const incident = await seedIncident(world, ids[3]!);
      const before = await monitorsOf(world.workspaceId);
      await transfer(heir.memberId);
      const after = await monitorsOf(world.workspaceId);
      expect(after.map((row) => row.monitoring_status)).to.deep.equal(['enabled', 'enabled', 'paused', 'paused']);
      for (const [index, row] of after.entries()) expect(row.revision).to.be.greaterThan(before[index]!.revision);
      const { body: first } = await heir.api('GET', `/api/v1/monitor/${ids[0]}`);
      expect(first.planRestricted).to.deep.equal(['eastus2']);
      expect((await heir.api('GET', `/api/v1/incident/${incident}`)).body).to.include({
        isClosed: true,
        closedBy: null,
      });
    });

    it('goes to an active member other than the Owner, by nobody but the Owner', async () => {
      const id = await app.value<string>("SELECT id FROM workspace_member WHERE workspace_id = $1 AND role = 'Owner'", [
        world.workspaceId,
      ]);
      expect((await transfer(id)).status).to.equal(400);
      expect((await transfer(nobodysId())).status).to.equal(404);
      await world.api('PATCH', `${path}/members/${heir.memberId}`, { status: 'suspended' });
      expect((await transfer(heir.memberId)).status).to.equal(400);
      const admin = await world.member('Admin');
      expect((await transfer(admin.memberId, admin)).status).to.equal(403);
    });

    it('is personal no more where it was, and its former Owner gets a new, empty personal one', async () => {
      const { api, workspaceId: personalId, userId } = world.owner;
      const personal = `/api/v1/workspaces/${personalId}`;
      const { link } = await create<{ link: string }>(api, `${personal}/invitations`, {
        email: heir.email,
        role: 'Viewer',
      });
      const own = app.as(world.owner.sub, { workspaceId: personalId });
      const { id: monitorId } = await seedMonitor({ api: own });
      await create(heir.api, '/api/v1/invitations/accept', { token: new URL(link).searchParams.get('token') });
      const { body: members } = await api('GET', `${personal}/members`);
      const { id: memberId } = members.find((member: { userId: string }) => member.userId === heir.userId);
      const name = await app.value<string>('SELECT name FROM workspace WHERE id = $1', [personalId]);

      const { status, body } = await own('POST', `${personal}/transfer-ownership`, { memberId });
      expect([status, body.id, body.isPersonal, body.ownerId, body.role]).to.deep.equal([
        200,
        personalId,
        false,
        heir.userId,
        'Admin',
      ]);
      const { body: workspaces } = await api('GET', '/api/v1/workspaces');
      const fresh = workspaces.filter(({ isPersonal }: { isPersonal: boolean }) => isPersonal);
      expect(fresh).to.have.length(1);
      expect(fresh[0]).to.include({ ownerId: userId, role: 'Owner', name });
      expect(fresh[0].id).not.to.equal(personalId);
      const inFresh = app.as(world.owner.sub, { workspaceId: fresh[0].id });
      expect(await app.sql('SELECT FROM monitor WHERE workspace_id = $1', [fresh[0].id])).to.have.length(0);
      expect((await own('GET', `/api/v1/monitor/${monitorId}`)).status).to.equal(200);
      expect((await api('GET', `/api/v1/monitor/${monitorId}`)).status, 'it is still the one used last').to.equal(200);
      const deleted = await inFresh('DELETE', `/api/v1/workspaces/${fresh[0].id}`);
      expect([deleted.status, deleted.body.error]).to.deep.equal([409, 'personal_workspace']);
      const heirs = app.as(heir.sub, { workspaceId: personalId });
      expect(
        (await heirs('GET', '/api/v1/workspaces')).body.filter((one: { isPersonal: boolean }) => one.isPersonal),
      ).to.have.length(1);
      expect((await heirs('DELETE', personal)).status).to.equal(204);
      const { body: fault } = await api('DELETE', `/api/v1/user/${userId}`);
      expect(fault.error).to.equal('last_owner');
      expect(fault.message).to.include('has other members: transfer its ownership, delete it, or remove them first.');
    });

    it('is handed over once where two transfers of a personal one come at once, which makes one new', async () => {
      const { api, workspaceId: personalId, userId } = world.owner;
      const now = new Date(app.clock.now());
      const memberId = nobodysId();
      await app.sql(
        `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, 'Viewer', $4, $4)`,
        [memberId, personalId, heir.userId, now],
      );
      const answers = await Promise.all(
        Array.from({ length: 4 }, () =>
          api('POST', `/api/v1/workspaces/${personalId}/transfer-ownership`, { memberId }),
        ),
      );
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 403, 403, 403]);
      expect(await app.sql('SELECT FROM workspace WHERE owner_id = $1 AND is_personal', [userId])).to.have.length(1);
    });

    it('is not found missing by those who create monitors meanwhile', async () => {
      const answers = await Promise.all([
        ...Array.from({ length: 6 }, (_, n) => world.api('POST', '/api/v1/monitor', { url: `https://a${n}.example/` })),
        transfer(heir.memberId),
      ]);
      expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201, 201, 201, 200]);
    });
  });
});

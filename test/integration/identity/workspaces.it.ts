import { expect } from 'chai';
import { ManualClock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Caller, Role } from '@watchpost/control-plane/platform/identity/caller';
import { createUsers } from '@watchpost/control-plane/capabilities/users/index';
import {
  createPersonalWorkspace,
  listWorkspaces,
  resolveWorkspace,
  seedDemoPrincipals,
} from '@watchpost/control-plane/capabilities/workspaces/index';
import { getWorkspace } from '@watchpost/control-plane/capabilities/workspaces/read-workspaces';
import { databaseForSuite } from '../../support/suite.js';
import { TEST_VIA } from '../../support/via.js';

const start = Date.parse('2026-11-21T12:00:00.000Z');
const nobody = { email: null, emailVerified: false, name: null };

describe('The workspace of a request', () => {
  const test = databaseForSuite();
  let clock: ManualClock;
  let ann: Caller;
  let ben: Caller;
  let annsOwn: string;
  let bensOwn: string;

  beforeEach(async () => {
    clock = new ManualClock(start);
    [ann, ben] = [await makeCaller(), await makeCaller()];
    [annsOwn, bensOwn] = [await resolved(ann), await resolved(ben)];
  });

  const deps = () => ({ db: test.database, clock });
  async function makeCaller(): Promise<Caller> {
    const users = createUsers({ ...deps(), onUserCreated: createPersonalWorkspace });
    const identity = { issuer: 'https://issuer.example', subject: newId(start), clientId: null };
    const principal = { ...identity, profile: nobody };
    const { userId } = await users.signIn(principal, () => Promise.resolve(null));
    return { userId, credential: { type: 'token', ...identity }, scopes: new Set() };
  }
  async function resolved(caller: Caller, selection: Parameters<typeof resolveWorkspace>[2] = {}): Promise<string> {
    try {
      return (await resolveWorkspace(deps(), caller, selection)).workspaceId;
    } catch (error) {
      if (error instanceof Fault) return error.code;
      throw error;
    }
  }
  async function join(workspaceId: string, caller: Caller, role: Role): Promise<void> {
    await test.sql(
      `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, $4, $5, $5)`,
      [newId(clock.now()), workspaceId, caller.userId, role, new Date(clock.now())],
    );
  }
  const suspend = (workspaceId: string, caller: Caller) =>
    test.sql(`UPDATE workspace_member SET status = 'suspended' WHERE workspace_id = $1 AND user_id = $2`, [
      workspaceId,
      caller.userId,
    ]);

  it('is the only one, and the caller is its Owner', async () => {
    expect(await resolveWorkspace(deps(), ann, {})).to.deep.include({
      workspaceId: annsOwn,
      role: 'Owner',
      ownerId: ann.userId,
    });
  });

  it('is the most recently used one where there are several and the request names none', async () => {
    clock.advance(120_000);
    await join(bensOwn, ann, 'Editor');
    expect(await resolved(ann)).to.equal(bensOwn);
    clock.advance(120_000);
    expect(await resolved(ann, { headerId: annsOwn })).to.equal(annsOwn);
    expect(await resolved(ann)).to.equal(annsOwn);
  });

  it('is the one that the header or the cookie names, with the role that the caller has there', async () => {
    await join(bensOwn, ann, 'Viewer');
    expect(await resolveWorkspace(deps(), ann, { headerId: bensOwn, cookieId: annsOwn })).to.deep.include({
      workspaceId: bensOwn,
      role: 'Viewer',
      ownerId: ben.userId,
    });
    expect(await resolved(ann, { cookieId: annsOwn })).to.equal(annsOwn);
  });

  it('is never a foreign one, and the answer does not reveal whether a foreign one exists', async () => {
    for (const id of [bensOwn, newId(start), 'nonsense', "' OR 1=1 --"]) {
      expect(await resolved(ann, { headerId: id }), id).to.equal('no_workspace_context');
      expect(await resolved(ann, { pathId: id }), id).to.equal('not_found');
      expect(await resolved(ann, { cookieId: id }), id).to.equal(annsOwn);
    }
  });

  it('is closed to a suspended member, who still has the others', async () => {
    await join(bensOwn, ann, 'Admin');
    await suspend(bensOwn, ann);
    expect(await resolved(ann, { headerId: bensOwn })).to.equal('member_suspended');
    expect(await resolved(ann, { pathId: bensOwn })).to.equal('member_suspended');
    expect(await resolved(ann)).to.equal(annsOwn);
    await suspend(annsOwn, ann);
    expect(await resolved(ann)).to.equal('member_suspended');
  });

  it('is the one of the request before, also where a caller changes workspaces twice within a millisecond', async () => {
    await join(bensOwn, ann, 'Editor');
    for (const id of [annsOwn, bensOwn, annsOwn, bensOwn, bensOwn, annsOwn]) {
      expect(await resolved(ann, { headerId: id })).to.equal(id);
      expect(await resolved(ann), 'the next request, which names none').to.equal(id);
    }
  });

  it('is the one of the request before in another process, whose clock is behind', async () => {
    await join(bensOwn, ann, 'Editor');
    const processes = [0, -5_000, 3_000].map((offsetMs) => ({
      db: test.database,
      clock: new ManualClock(start + offsetMs),
    }));
    for (let turn = 0; turn < 12; turn++) {
      const [here, there] = [processes[turn % 3]!, processes[(turn + 1) % 3]!];
      const headerId = turn % 2 === 0 ? annsOwn : bensOwn;
      await resolveWorkspace(here, ann, { headerId });
      expect((await resolveWorkspace(there, ann, {})).workspaceId, `turn ${turn}`).to.equal(headerId);
    }
  });

  it('is one of those used at once, and then the one used after them', async () => {
    await join(bensOwn, ann, 'Editor');
    for (let turn = 0; turn < 10; turn++) {
      await Promise.all([annsOwn, bensOwn, annsOwn, bensOwn].map((headerId) => resolved(ann, { headerId })));
      const headerId = turn % 2 === 0 ? annsOwn : bensOwn;
      await resolved(ann, { headerId });
      expect(await resolved(ann)).to.equal(headerId);
    }
  });

  it('is noted only when the caller changes workspaces', async () => {
    const written = async (): Promise<unknown> =>
      test.sql('SELECT id, xmin::text, last_used FROM workspace_member WHERE user_id = $1 ORDER BY id', [ann.userId]);
    await join(bensOwn, ann, 'Editor');
    await resolved(ann, { headerId: annsOwn });
    const before = await written();
    clock.advance(3_600_000);
    await Promise.all([resolved(ann), resolved(ann, { headerId: annsOwn }), resolved(ann, { pathId: annsOwn })]);
    expect(await written()).to.deep.equal(before);
    await resolved(ann, { headerId: bensOwn });
    expect(await written()).not.to.deep.equal(before);
  });

  it("is shown with the owner's plan, limits and usage over all workspaces, and the caller's own role", async () => {
    await join(bensOwn, ann, 'Viewer');
    await test.sql(`UPDATE user_account SET plan = 'Growth', plan_limits = '{"monitors": 80}' WHERE id = $1`, [
      ben.userId,
    ]);
    const access = await resolveWorkspace(deps(), ann, { pathId: bensOwn });
    const workspace = await getWorkspace(deps(), { caller: ann, workspace: access, via: TEST_VIA });
    expect(workspace).to.deep.include({
      id: bensOwn,
      role: 'Viewer',
      plan: 'Growth',
      isPersonal: true,
      ownerId: ben.userId,
    });
    expect(workspace.limits).to.deep.include({ monitors: 80, extraRegions: 2 });
    expect(workspace.usage).to.deep.include({ monitors: 0, teams: 0 });
    expect(workspace.settings).to.deep.equal({
      timezone: 'UTC',
      autoCloseIncidents: true,
      incidentQuorum: 'majority',
      defaultActionGroupIds: [],
      roleMapping: {},
    });
  });

  it("is found in the list of the caller's workspaces, newest first, page by page", async () => {
    await join(bensOwn, ann, 'Viewer');
    const all = await listWorkspaces(deps(), ann, { limit: 50, offset: 0 });
    expect(all.total).to.equal(2);
    expect(all.items.map(({ id, role }) => [id, role])).to.have.deep.members([
      [annsOwn, 'Owner'],
      [bensOwn, 'Viewer'],
    ]);
    const second = await listWorkspaces(deps(), ann, { limit: 1, offset: 1 });
    expect(second).to.deep.equal({ items: [all.items[1]], total: 2 });
  });

  it("is the demo account's for the demo machine client too, until somebody takes it out", async () => {
    const demo = {
      account: {
        issuer: 'demo',
        subject: 'account',
        profile: { email: 'demo@example.com', emailVerified: true, name: 'Demo' },
      },
      machineClient: { issuer: 'demo', subject: 'client', profile: { ...nobody, name: 'Client' } },
    };
    await Promise.all([seedDemoPrincipals(deps(), demo), seedDemoPrincipals(deps(), demo)]);
    const callerOf = async (subject: string): Promise<Caller> => {
      const id = await test.value<string>(`SELECT id FROM user_account WHERE issuer = 'demo' AND subject = $1`, [
        subject,
      ]);
      return {
        userId: id,
        credential: { type: 'token', issuer: 'demo', subject, clientId: null },
        scopes: new Set(),
      };
    };
    const [account, client] = [await callerOf('account'), await callerOf('client')];
    const shared = await resolved(account);
    expect(await resolveWorkspace(deps(), client, {})).to.deep.include({ workspaceId: shared, role: 'Admin' });
    await test.sql('DELETE FROM workspace_member WHERE workspace_id = $1 AND user_id = $2', [shared, client.userId]);
    await seedDemoPrincipals(deps(), demo);
    expect(await resolved(client)).to.not.equal(shared);
  });
});

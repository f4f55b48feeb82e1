import { expect } from 'chai';
import type { TestMember } from '../../support/app.js';
import { makeWorld, nobodysId, type World } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

const ROLES = ['Viewer', 'Responder', 'Editor', 'Admin', 'Owner'] as const;
type Role = (typeof ROLES)[number];

describe('Members of a workspace', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  let base: string;

  beforeEach(async () => {
    base = `/api/v1/workspaces/${world.workspaceId}/members`;
  });

  const path = ({ memberId }: TestMember) => `${base}/${memberId}`;

  describe('are managed by Admin and Owner, and nobody manages the Owner', () => {
    const expected = (by: Role, target: Role): { patch: string; remove: string } => {
      if (by !== 'Admin' && by !== 'Owner') {
        return { patch: '403 insufficient_workspace_role', remove: '403 insufficient_workspace_role' };
      }
      if (target !== 'Owner') return { patch: '200', remove: '204' };
      const refused = by === 'Owner' ? '409 last_owner' : '403 insufficient_workspace_role';
      return { patch: refused, remove: refused };
    };

    for (const by of ROLES) {
      for (const target of ROLES) {
        it(`${by} over ${target === by ? 'oneself or another ' : ''}${target}: ${expected(by, target).patch}`, async () => {
          const manager = await world.member(by);
          // Another of the same role, where there can be one.
          const other =
            target === by && target !== 'Owner' ? await makeWorldMember(world, target) : await world.member(target);
          const wanted = target === 'Viewer' ? 'Responder' : 'Viewer';
          const patched = await manager.api('PATCH', path(other), { role: wanted });
          expect(outcome(patched)).to.equal(expected(by, target).patch);
          const removed = await manager.api('DELETE', path(other));
          expect(outcome(removed)).to.equal(expected(by, target).remove);
        });
      }
    }
  });

  it('are listed with role and status to everybody in the workspace, newest first', async () => {
    app.clock.advance(1);
    const viewer = await world.member('Viewer');
    const { body, headers } = await viewer.api('GET', base);
    expect(body.map(({ role, status }: { role: string; status: string }) => `${role} ${status}`)).to.deep.equal([
      'Viewer active',
      'Owner active',
    ]);
    expect(headers.get('x-total-count')).to.equal('2');
  });

  it('have a role from the next request on', async () => {
    const viewer = await world.member('Viewer');
    expect((await viewer.api('POST', '/api/v1/monitor', { url: 'https://a.example/' })).status).to.equal(403);
    await world.api('PATCH', path(viewer), { role: 'Editor' });
    expect((await viewer.api('POST', '/api/v1/monitor', { url: 'https://a.example/' })).status).to.equal(201);
  });

  it('are shut out while suspended, and come back as they were', async () => {
    const editor = await world.member('Editor');
    expect((await world.api('PATCH', path(editor), { status: 'suspended' })).body.status).to.equal('suspended');
    expect((await editor.api('GET', base)).body.error).to.equal('member_suspended');
    expect((await world.api('PATCH', path(editor), { status: 'active' })).body.role).to.equal('Editor');
    expect((await editor.api('GET', base)).status).to.equal(200);
  });

  it('cannot be made Owner by a change of role', async () => {
    const editor = await world.member('Editor');
    const { status, body } = await world.api('PATCH', path(editor), { role: 'Owner' });
    expect([status, body.error, body.details[0].path]).to.deep.equal([400, 'validation_failed', 'role']);
  });

  it('cannot suspend themselves, and may step down', async () => {
    const admin = await world.member('Admin');
    expect((await admin.api('PATCH', path(admin), { status: 'suspended' })).status).to.equal(400);
    expect((await admin.api('PATCH', path(admin), { role: 'Viewer' })).body.role).to.equal('Viewer');
    expect((await admin.api('PATCH', path(admin), { role: 'Admin' })).status).to.equal(403);
  });

  it('of two Admins who take the role from each other at once, one is refused', async () => {
    const [one, other] = [await makeWorldMember(world, 'Admin'), await makeWorldMember(world, 'Admin')];
    const answers = await Promise.all([
      one.api('PATCH', path(other), { role: 'Viewer' }),
      other.api('PATCH', path(one), { role: 'Viewer' }),
    ]);
    expect(answers.map(outcome).toSorted()).to.deep.equal(['200', '403 insufficient_workspace_role']);
  });

  it('may leave, all but the Owner', async () => {
    const viewer = await world.member('Viewer');
    expect((await viewer.api('DELETE', `${base}/me`)).status).to.equal(204);
    expect((await viewer.api('GET', base)).status).to.equal(404);
    const owner = await world.api('DELETE', `${base}/me`);
    expect(outcome(owner)).to.equal('409 last_owner');
  });

  it('are not there for another workspace, nor twice gone', async () => {
    const viewer = await world.member('Viewer');
    const foreign = await makeWorld(app);
    const elsewhere = `/api/v1/workspaces/${foreign.workspaceId}/members/${viewer.memberId}`;
    expect((await foreign.api('PATCH', elsewhere, { role: 'Editor' })).status).to.equal(404);
    expect((await foreign.api('DELETE', elsewhere)).status).to.equal(404);
    expect((await foreign.api('GET', base)).status).to.equal(404);
    expect((await world.api('DELETE', `${base}/${nobodysId()}`)).status).to.equal(404);
    expect((await world.api('DELETE', path(viewer))).status).to.equal(204);
    expect((await world.api('DELETE', path(viewer))).status).to.equal(404);
  });

  it('are changed only by who has read them as they are', async () => {
    const viewer = await world.member('Viewer');
    const first = await world.api('PATCH', path(viewer), { role: 'Editor' });
    const stale = first.headers.get('etag')!;
    const second = await world.api('PATCH', path(viewer), { role: 'Viewer' }, { 'if-match': stale });
    expect(second.status).to.equal(200);
    const third = await world.api('PATCH', path(viewer), { role: 'Editor' }, { 'if-match': stale });
    expect(third.status).to.equal(412);
  });

  describe('choose how they are notified', () => {
    const notify = async (notificationPreferences: unknown, by: Pick<TestMember, 'api'> = world) =>
      by.api('PATCH', `${base}/me`, { notificationPreferences });

    it('by email by default', async () => {
      const { body } = await notify({});
      expect(body.notificationPreferences).to.deep.equal({
        email: true,
        sms: false,
        phoneNumber: null,
        quietHours: null,
        rules: null,
        shiftReminders: true,
      });
    });

    it('with a phone number that is theirs and the Admins’ to see', async () => {
      const [viewer, admin, other] = [
        await world.member('Viewer'),
        await world.member('Admin'),
        await world.member('Editor'),
      ];
      await notify({ phoneNumber: '+353871234567' }, viewer);
      const seenBy = async ({ api }: Pick<TestMember, 'api'>) => {
        const { body } = await api('GET', base);
        return body.find(({ userId }: { userId: string }) => userId === viewer.userId).notificationPreferences
          .phoneNumber;
      };
      expect(await seenBy(viewer)).to.equal('+353871234567');
      expect(await seenBy(admin)).to.equal('+353871234567');
      expect(await seenBy(other)).to.equal('+35***67');
    });

    it('and what they do not name stays', async () => {
      const quietHours = { start: '22:00', end: '07:30', timezone: 'Europe/Dublin' };
      await notify({ sms: true, phoneNumber: '+353871234567', quietHours });
      const { body } = await notify({ email: false, quietHours: { end: '06:00' } });
      expect(body.notificationPreferences).to.deep.include({
        email: false,
        sms: true,
        phoneNumber: '+353871234567',
        quietHours: { ...quietHours, end: '06:00' },
      });
      const back = await world.api('PATCH', `${base}/me`, { notificationPreferences: null });
      expect(back.body.notificationPreferences).to.include({ email: true, sms: false, phoneNumber: null });
    });

    for (const [what, preferences, fault] of [
      ['SMS without a number', { sms: true }, 'phoneNumber'],
      ['a number that is none', { phoneNumber: '087 1234567' }, 'phoneNumber'],
      ['a number that starts with 0', { phoneNumber: '+0871234567' }, 'phoneNumber'],
      ['quiet hours without an end', { quietHours: { start: '22:00', timezone: 'UTC' } }, 'quietHours.end'],
      [
        'an hour that there is not',
        { quietHours: { start: '24:00', end: '07:00', timezone: 'UTC' } },
        'quietHours.start',
      ],
      [
        'a zone that there is not',
        { quietHours: { start: '22:00', end: '07:00', timezone: 'Mars/Base' } },
        'quietHours.timezone',
      ],
      ['quiet hours of no length', { quietHours: { start: '07:00', end: '07:00', timezone: 'UTC' } }, 'quietHours.end'],
      ['a preference that there is not', { pager: true }, 'pager'],
    ] as const) {
      it(`but not ${what}`, async () => {
        const { status, body } = await notify(preferences);
        expect([status, body.details?.[0]?.path]).to.deep.equal([400, `notificationPreferences.${fault}`]);
      });
    }
  });
});

async function makeWorldMember(world: World, role: Role): Promise<TestMember> {
  const user = await world.app.user();
  const memberId = nobodysId();
  await world.app.sql(
    'INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used) VALUES ($1, $2, $3, $4, now(), now())',
    [memberId, world.workspaceId, user.userId, role],
  );
  return { ...user, role, memberId, api: world.as(user) };
}

function outcome({ status, body }: { status: number; body: { error?: string } }): string {
  return [status, body?.error].filter((part) => part !== undefined).join(' ');
}

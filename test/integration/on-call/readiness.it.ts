import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { mailReadiness } from '@watchpost/control-plane/capabilities/on-call/readiness';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { rotationOf, seedRotation, seedTeam, type SeededTeam } from './world.js';

describe('the coming and past shifts of a schedule', () => {
  const app = appForSuite();
  let world: World;
  beforeEach(async () => {
    app.clock.set(Date.parse('2026-11-21T12:00:00Z'));
    world = await makeWorld(app);
  });

  const prefer = async (role: 'Admin' | 'Editor' | 'Responder', notificationPreferences: object) => {
    const { api } = await world.member(role);
    const path = `/api/v1/workspaces/${world.workspaceId}/members/me`;
    expect((await api('PATCH', path, { notificationPreferences })).status).to.equal(200);
  };
  const firstOf = async (team: SeededTeam) => {
    const [{ id }] = (await world.api('GET', `${team.path}/schedules`)).body;
    return `${team.path}/schedules/${id}`;
  };

  it('name what could prevent an answer: no channel, a suspension, a long absence, nobody', async () => {
    const team = await seedRotation(world);
    const path = await firstOf(team);
    await prefer('Admin', { email: false });
    await app.sql(`UPDATE user_account SET last_sign_in = $2, created = $2 WHERE id = $1`, [
      team.bob.userId,
      new Date(app.clock.now() - 91 * DAY_MS),
    ]);
    const { body } = await world.api('GET', `${path}/readiness?days=3`);
    expect(body.map(({ user, problem, reachableBy }: Json) => [user.userId, problem, reachableBy])).to.deep.equal([
      [team.cyd.userId, null, ['email']],
      [team.ann.userId, 'noMethod', []],
      [team.bob.userId, 'noSignIn90Days', ['email']],
      [team.cyd.userId, null, ['email']],
    ]);
    expect([body[0].start, body.at(-1).end]).to.deep.equal(['2026-11-21T12:00:00.000Z', '2026-11-24T12:00:00.000Z']);
    await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE workspace_id = $1 AND user_id = $2`, [
      world.workspaceId,
      team.cyd.userId,
    ]);
    const [now] = (await world.api('GET', `${path}/readiness?days=1`)).body;
    expect([now.user.userId, now.problem]).to.deep.equal([team.ann.userId, 'suspended']);
    await world.api('DELETE', `${team.path}/schedule`);
    const [none] = (await world.api('GET', `${path}/readiness`)).body;
    expect([none.user, none.problem]).to.deep.equal([null, 'nobody']);
    expect((await world.api('GET', `${path}/readiness?days=91`)).status).to.equal(400);
  });

  it('refuse a change that leaves the only person on call without a way to be paged, unless it is forced', async () => {
    const team = await seedTeam(world);
    await prefer('Admin', { email: false });
    const alone = { ...rotationOf(team), participants: [team.ann.userId] };
    // The specification's path refuses no more than it has.
    expect((await world.api('PUT', `${team.path}/schedule`, alone)).status).to.equal(200);
    const path = await firstOf(team);
    const layer = { name: 'Days', rotation: { unit: 'day' }, participants: [team.ann.userId] };
    const changed = await world.api('PATCH', path, { layers: [layer] });
    expect([changed.status, changed.body.error]).to.deep.equal([409, 'would_be_unreachable']);
    expect((await world.api('GET', path)).body.layers[0].name, 'nothing changed').not.to.equal('Days');
    expect((await world.api('PATCH', `${path}?force=true`, { layers: [layer] })).body.layers[0].name).to.equal('Days');
    const both = { ...layer, participants: [team.ann.userId, team.bob.userId] };
    expect((await world.api('PATCH', path, { layers: [both] })).status).to.equal(200);
  });

  it('refuse to lose the last person who can be paged where a change of people asks for it, and not otherwise', async () => {
    const team = await seedTeam(world);
    const layer = { name: 'Days', rotation: { unit: 'day' }, participants: [team.ann.userId, team.bob.userId] };
    await create(world.api, `${team.path}/schedules`, { name: 'Days', layers: [layer] });
    const members = `/api/v1/workspaces/${world.workspaceId}/members`;
    const idOf = async (userId: string): Promise<string> =>
      (await world.api('GET', members)).body.find((one: Json) => one.userId === userId).id;
    const [ann, bob] = [await idOf(team.ann.userId), await idOf(team.bob.userId)];
    const refused = async (answer: Promise<{ status: number; body: Json }>) => {
      const { status, body } = await answer;
      expect([status, body?.error]).to.deep.equal([409, 'would_be_unreachable']);
    };
    const { api } = await world.member('Editor');
    const suspended = (member: string, query: string) =>
      world.api('PATCH', `${members}/${member}${query}`, { status: 'suspended' });
    const muted = { notificationPreferences: { email: false } };
    expect((await api('PATCH', `${members}/me?force=false`, muted)).status, 'two are on call').to.equal(200);
    await refused(suspended(ann, '?force=false'));
    await refused(world.api('DELETE', `${members}/${ann}?force=false`));
    expect((await world.api('GET', `${members}/${ann}`)).body.status, 'nothing changed').to.equal('active');
    expect((await suspended(ann, '')).status).to.equal(200);
    await refused(api('DELETE', `${members}/me?force=false`));
    await refused(api('PATCH', `${members}/me?force=false`, muted));
    expect((await api('PATCH', `${members}/me`, muted)).status).to.equal(200);
    expect((await world.api('DELETE', `${members}/${bob}`)).status).to.equal(204);
  });

  it('are mailed to the leads once a week where one has a problem', async () => {
    const team = await seedRotation(world);
    await world.api('PATCH', `${team.path}/members/${team.bob.userId}`, { teamRole: 'lead' });
    const deps = {
      db: app.db,
      clock: app.clock,
      baseUrl: 'https://watchpost.example',
      reachOf: async (_tx: unknown, _workspaceId: string, userIds: readonly string[]) =>
        userIds.map((userId) => ({ userId, channels: userId === team.ann.userId ? [] : ['email'], isBlocked: false })),
      hearingGroups: async () => new Set<string>(),
      sent: [] as string[],
      async sendMail(_tx: unknown, workspaceId: string, { to, text }: { to: string; text: string }) {
        if (workspaceId === world.workspaceId) this.sent.push(`${to} ${text}`);
      },
    };
    await mailReadiness(deps);
    await mailReadiness(deps);
    expect(deps.sent).to.have.length(1);
    expect(deps.sent[0]).to.include(team.bob.email).and.include(`The ${team.ann.sub} cannot be paged by any channel.`);
    const targets = [{ type: 'team' }, { type: 'user', id: team.ann.userId }];
    const steps = [{ after: 'PT0S', targets }];
    const { id } = await create(world.api, `${team.path}/escalation-policies`, { name: 'Nights', steps });
    app.clock.advance(7 * DAY_MS);
    await mailReadiness(deps);
    await mailReadiness(deps);
    expect(deps.sent).to.have.length(3);
    expect(deps.sent[2], 'of the policy')
      .to.include('Nights, step 1: target 2 cannot be paged by any channel.')
      .and.include(`policy=${id}`);

    const without = await seedTeam(world);
    await world.api('PATCH', `${without.path}/members/${without.bob.userId}`, { teamRole: 'lead' });
    await create(world.api, `${without.path}/escalation-policies`, { name: 'Days', steps });
    await mailReadiness(deps);
    await mailReadiness(deps);
    expect(deps.sent.slice(3), 'of a team without a schedule').to.have.length(1);
    expect(deps.sent[3]).to.include('Days, step 1: target 2 cannot be paged by any channel.');
  });

  it('are counted by hours of each kind, pages and acknowledgements in a report, also as CSV', async () => {
    const team = await seedRotation(world);
    const path = await firstOf(team);
    await world.api('PATCH', path, { holidays: ['2026-11-17'] });
    const incident = { id: await seedIncident(world, (await seedMonitor(world)).id) };
    await app.sql(
      `INSERT INTO incident_event (workspace_id, incident_id, at, type, detail) VALUES ($1, $2, $3, 'paged', $4)`,
      [
        world.workspaceId,
        incident.id,
        new Date('2026-11-20T22:30:00Z'),
        JSON.stringify({ teamId: team.id, people: [{ userId: team.bob.userId }] }),
      ],
    );
    await app.sql(
      `INSERT INTO incident_event (workspace_id, incident_id, at, type, actor) VALUES ($1, $2, $3, 'acknowledged', $4)`,
      [world.workspaceId, incident.id, new Date('2026-11-20T22:31:30Z'), team.bob.userId],
    );
    await app.sql(`UPDATE incident SET started = $2 WHERE id = $1`, [incident.id, new Date('2026-08-10T22:00:00Z')]);
    // What was stays what it was.
    await app.sql(`UPDATE user_account SET plan = 'Starter' WHERE id = $1`, [world.owner.userId]);
    const { body: report } = await world.api('GET', `${path}/on-call-report?month=2026-11`);
    expect([report.from, report.to]).to.deep.equal(['2026-10-31T23:00:00.000Z', '2026-11-21T12:00:00.000Z']);
    const of = ({ userId }: { userId: string }) => report.people.find(({ user }: Json) => user.userId === userId);
    // Nine on Monday to nine on Tuesday: a holiday from midnight on. Thursday to Friday: eight hours of a night.
    expect(of(team.ann).hours).to.deep.equal({ weekday: 29, night: 10, weekend: 0, holiday: 9 });
    expect(of(team.bob).hours).to.deep.equal({ weekday: 16, night: 8, weekend: 9, holiday: 15 });
    const total = report.people.reduce((sum: number, { totalHours }: Json) => sum + totalHours, 0);
    expect(total).to.equal(5 * 24 + 4);
    expect(of(team.bob)).to.deep.include({
      pages: 1,
      pagesAtNight: 1,
      acknowledgements: 1,
      medianSecondsToAcknowledge: 90,
      fairShareHours: Math.round((total / 3) * 100) / 100,
    });
    const csv = await world.api('GET', `${path}/on-call-report?month=2026-11&format=csv`);
    expect(csv.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    const [header, ...rows] = String(csv.body).trim().split('\r\n');
    expect(header).to.match(/^name,email,weekdayHours/);
    expect(rows).to.have.length(3);
    expect((await world.api('GET', `${path}/on-call-report?month=2026-13`)).status).to.equal(400);

    await app.sql(`UPDATE user_account SET plan = 'Growth' WHERE id = $1`, [world.owner.userId]);
    app.clock.advance(5 * DAY_MS);
    const people = async () => (await world.api('GET', `${path}/on-call-report?month=2026-11`)).body.people;
    const before = await people();
    expect((await world.api('DELETE', `${team.path}/members/${team.ann.userId}`)).status).to.equal(204);
    expect(await people(), 'the past stays where a person leaves').to.have.deep.members(before);
  });
});

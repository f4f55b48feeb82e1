import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import type { TestMember } from '../../support/app.js';
import type { Json } from '../../support/product.js';
import { create, fillMonitors, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { change, openTogether, seedGroup, seedHook, timelineOf } from '../../support/seed-alerts.js';
import { appForSuite } from '../../support/suite.js';
import { NOON } from '../results/seed.js';

describe('Paging by an escalation policy', () => {
  const app = appForSuite();
  let world: World;
  let ann: TestMember;
  let lea: TestMember;
  let monitorId: string;
  let teamId: string;

  beforeEach(async () => {
    await app.sql('DELETE FROM incident_paging');
    app.clock.set(NOON);
    world = await makeWorld(app, 'Pro');
    [ann, lea] = [await world.member('Responder'), await world.member('Admin')];
    teamId = (await create(world.api, '/api/v1/teams', { name: 'Web' })).id;
    for (const [{ userId }, teamRole] of [
      [ann, 'member'],
      [lea, 'lead'],
    ] as const)
      await create(world.api, `/api/v1/teams/${teamId}/members`, { userId, teamRole });
    const rotation = { rotation: 'daily', timezone: 'UTC', handoffTime: '09:00', startDate: '2026-11-01' };
    const schedule = { ...rotation, participants: [ann.userId] };
    await create(world.api, `/api/v1/teams/${teamId}/schedule`, schedule, 'PUT');
    monitorId = (await seedMonitor(world)).id;
    await create(world.api, `/api/v1/monitor/${monitorId}`, { teamId }, 'PUT');
  });

  const policies = () => `/api/v1/teams/${teamId}/escalation-policies`;
  const step = (minutes: number, targets: object[], more: object = {}) => ({
    after: `PT${minutes}M`,
    targets,
    ...more,
  });
  const policy = (steps: object[], more: object = {}) =>
    create(world.api, policies(), { name: 'Nights', steps, ...more });
  const run = async (name: string) => app.plane.periodicTasks.find((one) => one.name === name)!.run();
  const open = async () => (await openTogether(world, [monitorId]))[0]!;
  const user = ({ userId }: TestMember) => ({ type: 'user', id: userId });
  const acknowledge = ({ api }: TestMember, incident: string) =>
    create(api, `/api/v1/incident/${incident}`, { acknowledged: true }, 'PATCH');
  /** Works every minute. @returns who was paged, and after how many minutes */
  async function pagesOf(incident: string, minutes: number): Promise<[string, number][]> {
    for (let minute = 0; minute <= minutes; minute++) {
      if (minute > 0) app.clock.advance(MINUTE_MS);
      await run('expire_acknowledgements');
      await run('page_due');
    }
    const rows = await app.sql<{ address: string; at: Date }>(
      `SELECT d.address, e.at FROM delivery d JOIN alert_event e ON e.id = d.event_id
       WHERE e.incident_id = $1 AND d.purpose LIKE 'page:%' ORDER BY d.seq`,
      [incident],
    );
    return rows.map(({ address, at }) => [
      address === ann.email ? 'ann' : address === lea.email ? 'lea' : address,
      (at.getTime() - NOON) / MINUTE_MS,
    ]);
  }
  const entries = async (incident: string, type: string): Promise<Json[]> =>
    (await timelineOf(world, incident)).filter((one) => one.type === type).map(({ detail }) => detail as Json);

  it('takes its steps after their waits, again in further rounds, and then stops', async () => {
    await policy([step(2, [user(lea)]), step(3, [{ type: 'onCall' }, { type: 'team' }])], { repeat: 1 });
    const incident = await open();
    expect(await pagesOf(incident, 40)).to.deep.equal([
      ['lea', 2],
      ['ann', 5],
      ['lea', 5],
      ['lea', 10],
      ['ann', 13],
      ['lea', 13],
    ]);
    const paged = await entries(incident, 'paged');
    expect(paged.map(({ step: at, round, who, policy: by }) => [at, round, who, by])).to.deep.equal([
      [0, undefined, 'user', 'Nights'],
      [1, undefined, 'onCall, team', 'Nights'],
      [0, 1, 'user', 'Nights'],
      [1, 1, 'onCall, team', 'Nights'],
    ]);
  });

  it('is the first one with the severity, and begins where the incident gets worse', async () => {
    await policy([step(0, [user(lea)])], { severities: ['partial'] });
    const incident = await open();
    expect(await pagesOf(incident, 0), 'the built-in one').to.deep.equal([['ann', 0]]);
    await app.sql(`UPDATE incident SET severity = 'partial' WHERE id = $1`, [incident]);
    await app.sql(`UPDATE incident SET worst_severity = NULL WHERE id = $1`, [incident]);
    const other = await pagesOf(incident, 10);
    expect(other, 'at its next step').to.deep.equal([
      ['ann', 0],
      ['lea', 10],
    ]);
    await change(world, incident, { kind: 'update', regions: ['northeurope'], severity: 'down' });
    expect(await pagesOf(incident, 0), 'at once').to.deep.equal([...other, ['ann', 10]]);
  });

  it('goes on until each has acknowledged who has to', async () => {
    await policy([
      step(0, [user(ann), user(lea)], { ackRequired: 'each' }),
      step(5, [user(world.owner as TestMember)]),
      step(5, [user(ann), user(lea)]),
    ]);
    const first = await open();
    await pagesOf(first, 1);
    await acknowledge(ann, first);
    await acknowledge(ann, first);
    await acknowledge(lea, first);
    expect(await pagesOf(first, 30), 'both did').to.have.length(2);
    expect((await timelineOf(world, first)).filter(({ type }) => type === 'acknowledged')).to.have.length(2);

    await create(world.api, `/api/v1/incident/${first}`, { status: 'Resolved' }, 'PATCH');
    const second = await open();
    await run('page_due');
    await acknowledge(ann, second);
    const all = await pagesOf(second, 5);
    expect(all, 'the next step although Ann has').to.have.length(3);
    await pagesOf(second, 5);
    const last = await pagesOf(second, 0);
    expect(last, 'the last one, without Ann').to.have.length(4);
    expect(last.at(-1)![0]).to.equal('lea');
  });

  it('begins again where an acknowledgement lasts too long without a note', async () => {
    await policy([step(0, [user(lea)])], { ackTimeout: 'PT15M' });
    const incident = await open();
    await run('page_due');
    await acknowledge(ann, incident);
    expect(await pagesOf(incident, 14)).to.have.length(1);
    expect(await pagesOf(incident, 1)).to.deep.equal([
      ['lea', 0],
      ['lea', 15],
    ]);
    expect(await entries(incident, 'ack_expired')).to.have.length(1);
    expect((await world.api('GET', `/api/v1/incident/${incident}`)).body).to.deep.include({
      acknowledged: false,
      acknowledgedBy: null,
    });
    await acknowledge(ann, incident);
    app.clock.advance(MINUTE_MS);
    await create(ann.api, `/api/v1/incident/${incident}/notes`, { note: 'Restarting it.' });
    await pagesOf(incident, 60);
    expect(await entries(incident, 'ack_expired'), 'somebody works on it').to.have.length(1);
  });

  it('pages a person again by a step that comes within a minute', async () => {
    await policy([step(0, [user(ann)]), { after: 'PT30S', targets: [user(ann)] }]);
    expect(await pagesOf(await open(), 5)).to.deep.equal([
      ['ann', 0],
      ['ann', 1],
    ]);
  });

  it('does not count under a plan without it, also where it paged before', async () => {
    await policy([step(0, [user(lea)])], { severities: ['down'], ackTimeout: 'PT15M' });
    const incident = await open();
    await acknowledge(lea, incident);
    await app.sql(`UPDATE user_account SET plan = 'Starter' WHERE id = $1`, [world.owner.userId]);
    const again = await pagesOf(incident, 20);
    expect(again, 'an acknowledgement ends as it was to end when it was given').to.deep.equal([['lea', 15]]);
    expect(await entries(incident, 'ack_expired')).to.have.length(1);
    await acknowledge(lea, incident);
    await pagesOf(incident, 20);
    expect(await entries(incident, 'ack_expired'), 'a further one does not').to.have.length(1);
    await create(world.api, `/api/v1/incident/${incident}`, { status: 'Resolved' }, 'PATCH');

    app.clock.set(NOON);
    const next = await open();
    await app.sql(`UPDATE incident SET severity = 'partial', worst_severity = NULL WHERE id = $1`, [next]);
    expect(await pagesOf(next, 5), 'the built-in one, whose leads are left').to.deep.equal([['lea', 0]]);
    await change(world, next, { kind: 'update', regions: ['northeurope'], severity: 'down' });
    expect(await pagesOf(next, 5)).to.have.length(1);
  });

  it('notifies an action group, whether it is attached or knows of the incident', async () => {
    const attached = await seedHook(world, 'https://attached.example/');
    const other = await seedHook(world, 'https://other.example/');
    await create(world.api, `/api/v1/action-groups/${attached.id}/monitors/${monitorId}`);
    const group = ({ id }: { id: string }) => ({ type: 'actionGroup', id });
    await policy([step(0, [group(other)]), step(5, [group(attached), group(other)])]);
    const incident = await open();
    const sent = async () => {
      await run('page_due');
      await app.plane.delivery.runDue();
      return app.sql<{ group: string; type: string }>(
        `SELECT d.group_id AS "group", e.type FROM delivery d JOIN alert_event e ON e.id = d.event_id
         WHERE e.incident_id = $1 ORDER BY d.seq`,
        [incident],
      );
    };
    expect(await sent()).to.have.deep.members([
      { group: attached.id, type: 'incident.opened' },
      { group: other.id, type: 'incident.updated' },
    ]);
    app.clock.advance(5 * MINUTE_MS);
    expect((await sent()).slice(2)).to.have.deep.members([
      { group: attached.id, type: 'incident.updated' },
      { group: other.id, type: 'incident.updated' },
    ]);
    const paged = await entries(incident, 'paged');
    expect(paged.map(({ groups }) => groups.map((one: Json) => one['actionGroupId']))).to.deep.equal([
      [other.id],
      [attached.id, other.id],
    ]);
  });

  it('goes on at once where an action group is outside its hours, which is notified when they begin', async () => {
    const hours = { timezone: 'UTC', days: ['saturday'], start: '12:30', end: '18:00', outside: 'hold' };
    const group = await seedGroup(world, 'webhook', { url: 'https://office.example/', hours });
    await policy([step(0, [{ type: 'actionGroup', id: group.id }]), step(20, [user(lea)])]);
    const preview = await world.api('GET', `/api/v1/monitor/${monitorId}/alert-preview`);
    const why = 'The channel "Team" is outside its hours, and is notified when they begin.';
    expect(preview.body.teams[0].steps[0].groups[0]).to.include({ hears: false, why });
    const incident = await open();
    expect(await pagesOf(incident, 0)).to.deep.equal([['lea', 0]]);
    expect((await entries(incident, 'notification_failed')).map(({ reason }) => reason)).to.deep.equal([why]);
    const sent = async () => {
      await app.plane.delivery.runDue();
      return app.sql('SELECT 1 FROM delivery WHERE workspace_id = $1 AND group_id = $2', [world.workspaceId, group.id]);
    };
    expect(await sent()).to.have.length(0);
    app.clock.advance(30 * MINUTE_MS);
    expect(await sent()).to.have.length(1);
  });

  it('loses no page where people cannot be reached: each is on the timeline, and the next step comes at once', async () => {
    const group = await seedHook(world, 'https://gone.example/');
    const suspended = await world.member('Editor');
    await policy([
      step(0, [user(suspended), { type: 'actionGroup', id: group.id }]),
      step(10, [user(ann)]),
      step(10, [user(lea), user(ann)]),
    ]);
    await world.api('DELETE', `/api/v1/action-groups/${group.id}`);
    await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE workspace_id = $1 AND user_id = $2`, [
      world.workspaceId,
      suspended.userId,
    ]);
    const preferences = { notificationPreferences: { email: false } };
    await create(ann.api, `/api/v1/workspaces/${world.workspaceId}/members/me`, preferences, 'PATCH');
    const quiet = { quietHours: { start: '00:00', end: '23:59', timezone: 'UTC' } };
    const mine = { notificationPreferences: quiet };
    await create(lea.api, `/api/v1/workspaces/${world.workspaceId}/members/me`, mine, 'PATCH');
    const incident = await open();
    expect(await pagesOf(incident, 1), 'quiet hours hold back no page').to.deep.equal([['lea', 0]]);
    const failed = await entries(incident, 'notification_failed');
    expect(failed.map(({ step: at, reason }) => [at, reason])).to.deep.equal([
      [
        0,
        'A person of this step is no active member of the workspace any more. A channel of this step has been deleted.',
      ],
      [1, 'The people to page have no channel by which they can be reached.'],
    ]);
    expect(failed[1]!['missed'].map((one: Json) => one['userId'])).to.deep.equal([ann.userId]);
    const [paged] = await entries(incident, 'paged');
    expect(paged!['unreached']).to.deep.equal(['The people to page have no channel by which they can be reached.']);
  });

  it('goes on by number where it is changed, begins again where it is deleted, and takes nothing that is long ago', async () => {
    const { id } = await policy([step(0, [user(ann)]), step(30, [user(ann)])]);
    const incident = await open();
    await pagesOf(incident, 1);
    const steps = [step(0, [user(ann)]), step(30, [user(lea)])];
    await create(world.api, `${policies()}/${id}`, { steps }, 'PATCH');
    expect(await pagesOf(incident, 29)).to.deep.equal([
      ['ann', 0],
      ['lea', 30],
    ]);
    await world.api('DELETE', `${policies()}/${id}`);
    expect(await pagesOf(incident, 60), 'every step was taken').to.have.length(2);

    await create(world.api, `/api/v1/incident/${incident}`, { status: 'Resolved' }, 'PATCH');
    const late = await open();
    await run('page_due');
    app.clock.advance(1_451 * MINUTE_MS);
    await run('page_due');
    expect((await entries(late, 'notification_failed')).map(({ reason }) => reason)[0]).to.include(
      'more than a day ago',
    );
    expect(await entries(late, 'paged')).to.have.length(1);
  });

  it('follows a monitor to another team, also when every step was taken, and states the end of the former', async () => {
    const { id: otherId } = await create(world.api, '/api/v1/teams', { name: 'Night shift' });
    await create(world.api, `/api/v1/teams/${otherId}/members`, { userId: lea.userId, teamRole: 'lead' });
    const path = `/api/v1/teams/${otherId}/escalation-policies`;
    await create(world.api, path, { name: 'Others', steps: [step(0, [user(lea)])] });
    const me = `/api/v1/workspaces/${world.workspaceId}/members/me`;
    const rules = [0, 3].map((minutes) => ({ after: `PT${minutes}M`, channel: 'email' }));
    await create(ann.api, me, { notificationPreferences: { rules } }, 'PATCH');
    await policy([step(0, [user(ann)]), step(10, [user(ann)])]);
    const move = (to: string | null) => create(world.api, `/api/v1/monitor/${monitorId}`, { teamId: to }, 'PUT');

    const incident = await open();
    await pagesOf(incident, 1);
    await move(otherId);
    const moved = [
      ['ann', 0],
      ['lea', 1],
    ];
    expect(await pagesOf(incident, 20), 'at once, and no later message').to.deep.equal(moved);
    const reasons = async () => (await entries(incident, 'notification_failed')).map(({ reason }) => reason);
    expect(await reasons()).to.deep.equal(['The monitor does not page Web any more.']);
    await move(teamId);
    expect(await pagesOf(incident, 0), 'back, after the last step').to.deep.equal([...moved, ['ann', 21]]);
    await acknowledge(ann, incident);
    await move(otherId);
    expect(await pagesOf(incident, 20), 'somebody has it').to.have.length(3);
    await create(ann.api, `/api/v1/incident/${incident}`, { acknowledged: false }, 'PATCH');
    expect((await pagesOf(incident, 0)).at(-1), 'taken back').to.deep.equal(['lea', 41]);
    await move(null);
    expect(await pagesOf(incident, 20)).to.have.length(4);
    expect(await reasons()).to.have.length(4);
    await create(world.api, `/api/v1/monitor/${monitorId}`, { name: 'Shop' }, 'PUT');
    await create(world.api, `/api/v1/monitor/${monitorId}`, { tags: ['shop'] }, 'PUT');
    expect(await pagesOf(incident, 20)).to.have.length(4);
    expect(await reasons(), 'each is stated once').to.have.length(4);
  });

  it('loses nobody in silence where a schedule is emptied and then everybody is suspended', async () => {
    await policy([
      step(0, [user(lea)]),
      step(5, [{ type: 'onCall' }]),
      step(5, [{ type: 'team' }]),
      step(5, [user(ann)]),
    ]);
    const incident = await open();
    await pagesOf(incident, 4);
    await world.api('DELETE', `/api/v1/teams/${teamId}/schedule`);
    const paged = [
      ['lea', 0],
      ['ann', 5],
      ['lea', 5],
    ];
    expect(await pagesOf(incident, 1), 'the next step comes at once').to.deep.equal(paged);
    await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE workspace_id = $1 AND user_id = ANY ($2)`, [
      world.workspaceId,
      [ann.userId, lea.userId],
    ]);
    expect(await pagesOf(incident, 20)).to.deep.equal(paged);
    expect((await entries(incident, 'notification_failed')).map(({ step: at, reason }) => [at, reason])).to.deep.equal([
      [1, 'Web has no on-call rotation yet.'],
      [3, 'A person of this step is no active member of the workspace any more.'],
    ]);
    await create(world.api, `/api/v1/incident/${incident}`, { status: 'Resolved' }, 'PATCH');
    const next = await open();
    expect(await pagesOf(next, 20)).to.deep.equal([]);
    const failed = await entries(next, 'notification_failed');
    expect(
      failed.map(({ step: at }) => at),
      'each step',
    ).to.deep.equal([0, 1, 2, 3]);
  });

  it('takes each step once where two take them at a time, and none of incidents that are closed meanwhile', async () => {
    await policy([step(0, [user(ann)]), step(5, [user(lea)])]);
    await fillMonitors(app, monitorId, 11, ['twice']);
    const monitors = await app.sql<{ id: string }>(
      `UPDATE monitor SET team_id = $2 WHERE workspace_id = $1 AND tags = '{twice}' RETURNING id`,
      [world.workspaceId, teamId],
    );
    const incidents = await openTogether(
      world,
      monitors.map(({ id }) => id),
    );
    await Promise.all([run('page_due'), run('page_due')]);
    const stepsTaken = () =>
      app.sql<{ step: number; times: number }>(
        `SELECT (detail ->> 'step')::integer AS step, count(*)::integer AS times FROM incident_event
         WHERE workspace_id = $1 AND type = 'paged' GROUP BY incident_id, 1 ORDER BY 1`,
        [world.workspaceId],
      );
    expect(await stepsTaken()).to.deep.equal(incidents.map(() => ({ step: 0, times: 1 })));
    app.clock.advance(5 * MINUTE_MS);
    const close = (incident: string) =>
      create(world.api, `/api/v1/incident/${incident}`, { status: 'Resolved' }, 'PATCH');
    await Promise.all([run('page_due'), ...incidents.slice(0, 5).map(close), run('page_due')]);
    await Promise.all(incidents.slice(5).map(close));
    const taken = await stepsTaken();
    app.clock.advance(60 * MINUTE_MS);
    await run('page_due');
    expect(await stepsTaken(), 'nothing after the end').to.deep.equal(taken);
    expect(taken.every(({ times }) => times === 1)).to.equal(true);
    const left = await app.sql(
      `SELECT 1 FROM delivery WHERE workspace_id = $1 AND purpose LIKE 'page:%' AND state = 'waiting'`,
      [world.workspaceId],
    );
    expect(left, 'no page of an incident that is over').to.deep.equal([]);
  });

  it('ends after 30 days, which the timeline states', async () => {
    await policy([step(0, [user(lea)])], { repeat: 9 });
    const incident = await open();
    await app.sql(`UPDATE incident_paging SET began = began - interval '30 days'`);
    expect(await pagesOf(incident, 30)).to.deep.equal([['lea', 0]]);
    const failed = await entries(incident, 'notification_failed');
    expect(failed.map(({ policy: by, reason }) => [by, reason.split(':')[0]])).to.deep.equal([
      ['Nights', 'This was the last step'],
    ]);
  });

  it('of one owner with much that is due delays nothing of another', async () => {
    const rules = [0, 1].map((minutes) => ({ after: `PT${minutes}M`, channel: 'email' }));
    const route = async (one: World, count: number): Promise<void> => {
      const { api, userId } = await one.member('Editor');
      const preferences = { notificationPreferences: { rules } };
      await create(api, `/api/v1/workspaces/${one.workspaceId}/members/me`, preferences, 'PATCH');
      const { id } = await create(one.api, '/api/v1/teams', { name: 'Shop' });
      const steps = [step(0, [{ type: 'user', id: userId }])];
      await create(one.api, `/api/v1/teams/${id}/escalation-policies`, { name: 'All', steps });
      await fillMonitors(app, (await seedMonitor(one)).id, count, ['many']);
      const monitors = await app.sql<{ id: string }>(
        `UPDATE monitor SET team_id = $2 WHERE workspace_id = $1 AND tags = '{many}' RETURNING id`,
        [one.workspaceId, id],
      );
      await openTogether(
        one,
        monitors.map((monitor) => monitor.id),
      );
    };
    const busy = await makeWorld(app, 'Pro');
    await route(busy, 210);
    app.clock.advance(MINUTE_MS);
    await route(world, 1);
    /** The number of those of the busy owner that come before that of the other. */
    const before = async (type: string): Promise<number> => {
      const rows = await app.sql<{ own: boolean }>(
        `DELETE FROM incident_event WHERE type = $1 RETURNING workspace_id = $2 AS own, seq`,
        [type, world.workspaceId],
      );
      expect(rows).to.have.length(211);
      return (rows as { own: boolean; seq: number }[]).toSorted((a, b) => a.seq - b.seq).findIndex(({ own }) => own);
    };
    await app.sql('DELETE FROM incident_event');
    await run('page_due');
    expect(await before('paged'), 'steps').to.be.within(0, 100);
    app.clock.advance(MINUTE_MS);
    await run('page_due');
    expect(await before('paged'), 'later messages').to.be.within(0, 100);
    await app.sql('UPDATE incident SET acknowledged = true WHERE id IN (SELECT incident_id FROM incident_paging)');
    await app.sql('UPDATE incident_paging SET ack_expires_at = began');
    await run('expire_acknowledgements');
    expect(await before('ack_expired'), 'ends of acknowledgements').to.be.within(0, 1);
  });
});

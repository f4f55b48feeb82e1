import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { create, nobodysId } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

describe('Teams in a document', () => {
  const app = appForSuite();
  const world = worldForEach(app, 'Enterprise');
  let ada: string;
  let bob: string;

  beforeEach(async () => {
    ada = await addressOf(world.owner.userId);
    bob = await addressOf((await world.member('Responder')).userId);
  });
  const addressOf = async (userId: string) =>
    await app.value<string>('SELECT lower(email) AS email FROM user_account WHERE id = $1', [userId]);
  const documentOf = (teams: object) => ({
    apiVersion: 'watchpost/v1',
    project: 'shop',
    serviceGroups: { shop: { name: 'Shop' }, blog: { name: 'Blog' } },
    teams,
  });
  const platform = () => ({
    name: 'Platform',
    members: [{ email: ada.toUpperCase(), teamRole: 'lead' }, { email: bob }],
    schedule: { rotation: 'weekly', participants: [bob, ada] },
    serviceGroups: ['shop'],
  });
  async function done(verb: 'plan' | 'apply', document: unknown, more: object = {}, by = world): Promise<Json> {
    const { status, body } = await by.api('POST', `/api/v1/config/${verb}`, { document, ...more });
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  const get = async (path: string): Promise<Json> => (await world.api('GET', `/api/v1/${path}`)).body;

  it('have escalation policies, which name people by address and action groups by key', async () => {
    const escalationPolicies = [
      {
        name: 'Nights',
        severities: ['down'],
        steps: [
          { after: 'PT0S', targets: [{ type: 'onCall' }, { type: 'user', email: bob.toUpperCase() }] },
          { after: 'PT5M', targets: [{ type: 'actionGroup', actionGroup: 'ops' }], ackRequired: 'each' },
        ],
        repeat: 2,
        ackTimeout: 'PT1H',
      },
      { name: 'Rest', steps: [{ after: 'PT1M', targets: [{ type: 'leads' }] }] },
    ];
    const document = (policies: object[]) => ({
      ...documentOf({ platform: { ...platform(), escalationPolicies: policies } }),
      actionGroups: { ops: { type: 'email', name: 'Ops', recipients: ['ops@example.com'] } },
    });
    await done('apply', document(escalationPolicies));
    const [team] = await get('teams');
    const [nights, rest, builtIn] = await get(`teams/${team.id}/escalation-policies`);
    expect([rest.name, builtIn.builtIn]).to.deep.equal(['Rest', true]);
    expect(nights).to.deep.include({ repeat: 2, ackTimeout: 'PT1H', problems: [] });
    expect(nights.steps[0].targets[1]).to.deep.equal({
      type: 'user',
      id: (await world.member('Responder')).userId,
    });
    expect((await done('plan', document(escalationPolicies))).summary).to.include({ unchanged: 4 });
    const { body: exported } = await world.api('GET', '/api/v1/config/export?project=shop');
    expect((await done('plan', exported)).summary, JSON.stringify(exported)).to.include({ unchanged: 4 });

    await create(world.api, `/api/v1/teams/${team.id}/escalation-policies/${nights.id}`, { repeat: 3 }, 'PATCH');
    const { changes } = await done('plan', document(escalationPolicies));
    const drifted = changes.filter(({ action }: Json) => action === 'update');
    expect(JSON.stringify(drifted)).to.include('escalationPolicies');
    const gone = nobodysId();
    await app.sql(
      `UPDATE escalation_policy SET steps = jsonb_set(steps, '{0,targets,0,scheduleId}', $2) WHERE id = $1`,
      [nights.id, JSON.stringify(gone)],
    );
    const { body: withGone } = await world.api('GET', '/api/v1/config/export?project=shop');
    expect(JSON.stringify(withGone), 'a schedule that is gone is its id').to.include(
      `{"type":"onCall","schedule":"${gone}"}`,
    );
    expect((await done('plan', withGone)).summary).to.include({ unchanged: 4 });
    await done('apply', document(escalationPolicies.slice(1)));
    expect((await get(`teams/${team.id}/escalation-policies`)).map(({ name }: Json) => name)).to.deep.equal([
      'Rest',
      'Built-in',
    ]);
    const wrong = { type: 'user', email: 'nobody@example.com' };
    const { status, body } = await world.api('POST', '/api/v1/config/plan', {
      document: document([{ name: 'Wrong', steps: [{ after: 'P2D', targets: [wrong] }] }]),
    });
    expect([status, body.details[0].path]).to.deep.equal([400, 'teams.platform.escalationPolicies.0.steps.0.after']);
  });

  it('have members by address, a rotation and service groups, and are unchanged the second time', async () => {
    await done('plan', documentOf({ platform: platform() }));
    expect(await get('teams')).to.deep.equal([]);
    await done('apply', documentOf({ platform: platform() }));
    const [team] = await get('teams');
    expect(team.members.map(({ userId, teamRole }: Json) => [userId, teamRole])).to.have.deep.members([
      [world.owner.userId, 'lead'],
      [(await world.member('Responder')).userId, 'member'],
    ]);
    const schedule = await get(`teams/${team.id}/schedule`);
    expect(schedule).to.include({ rotation: 'weekly', timezone: 'UTC', handoffTime: '09:00' });
    expect(schedule.participants).to.deep.equal([(await world.member('Responder')).userId, world.owner.userId]);
    expect((await get(`teams/${team.id}/service-groups`)).map(({ name }: Json) => name)).to.deep.equal(['Shop']);
    app.clock.advance(40 * 86_400_000);
    expect((await done('apply', documentOf({ platform: platform() }))).summary).to.include({ unchanged: 3 });
    expect(await get(`teams/${team.id}/schedule`), 'its start is left alone').to.deep.equal(schedule);
  });

  it('are named by monitors, which are created after them and exported with their keys', async () => {
    const monitors = { backup: { name: 'Backup', url: 'https://backup.example', team: 'platform' } };
    const document = { ...documentOf({ platform: platform() }), monitors };
    await done('apply', document);
    const [team] = await get('teams');
    expect((await get('monitor'))[0]).to.include({ teamId: team.id, serviceGroupId: null });
    expect((await done('apply', document)).summary).to.include({ unchanged: 4 });
    expect((await get('config/export')).monitors.backup).to.include({ team: 'platform' });
    const unknown = { ...document, monitors: { backup: { ...monitors.backup, team: 'nobody' } } };
    const refused = await world.api('POST', '/api/v1/config/plan', { document: unknown });
    expect(refused.body.details.map(({ path }: Json) => path)).to.deep.equal(['monitors.backup.team']);
    await done('apply', { ...document, monitors: { backup: { ...monitors.backup, team: null } } });
    expect((await get('monitor'))[0]).to.include({ teamId: null });
  });

  it('have schedules with layers, which are unchanged the second time, exported, and replace a simple one', async () => {
    await done('apply', documentOf({ platform: platform() }));
    const [team] = await get('teams');
    const layers = [
      { name: 'Days', rotation: { unit: 'week' }, startDate: '2026-11-16', participants: [bob, ada] },
      {
        name: 'Nights',
        rotation: { unit: 'day', handoffTime: '18:00' },
        startDate: '2026-11-16',
        restrictions: [{ days: ['friday'], start: '22:00', end: '06:00' }],
        holidays: 'skip',
        participants: [ada],
      },
    ];
    const { schedule: _, ...rest } = platform();
    const schedules = [
      { name: 'First', timezone: 'Europe/Dublin', layers, holidays: ['2026-12-25'] },
      { name: 'Second', layers },
    ];
    const document = documentOf({ platform: { ...rest, schedules } });
    await done('apply', document);
    app.clock.advance(40 * 86_400_000);
    expect((await done('apply', document)).summary).to.include({ unchanged: 3 });
    const stored = await get(`teams/${team.id}/schedules`);
    expect(stored.map(({ name }: Json) => name)).to.deep.equal(['First', 'Second']);
    expect(stored[0].layers[0].rotation).to.deep.equal({
      unit: 'week',
      every: 1,
      handoffTime: '09:00',
      handoffDay: 'monday',
    });
    await world.api('PATCH', `/api/v1/teams/${team.id}/schedules/${stored[1].id}`, { name: 'Drifted' });
    expect((await done('plan', document)).changes.find(({ action }: Json) => action === 'update').fields).to.have.keys(
      'schedules',
    );
    await done('apply', document);
    const exported = await get('config/export');
    expect(exported.teams.platform.schedules.map(({ name }: Json) => name)).to.deep.equal(['First', 'Second']);
    expect((await done('plan', { ...exported, project: 'shop' })).summary).to.include({ unchanged: 3 });
    const both = documentOf({
      platform: {
        ...platform(),
        schedules: [{ name: 'First', layers: [{ ...layers[0], participants: ['x@y.example'] }] }],
      },
    });
    const refused = await world.api('POST', '/api/v1/config/plan', { document: both });
    expect(refused.body.details.map(({ path }: Json) => path)).to.have.members([
      'teams.platform.schedules.0.layers.0.participants.0',
      'teams.platform.schedules',
    ]);
    await done('apply', documentOf({ platform: platform() }));
    expect((await done('plan', documentOf({ platform: platform() }))).summary).to.include({ unchanged: 3 });
    expect(await get(`teams/${team.id}/schedules`)).to.have.length(1);
    await done('apply', documentOf({ platform: rest }));
    expect((await get(`teams/${team.id}/schedule`)).rotation).to.equal(null);
  });

  it('change as the document changes, drift included', async () => {
    await done('apply', documentOf({ platform: platform() }));
    const [team] = await get('teams');
    const responder = await world.member('Responder');
    await world.api('PATCH', `/api/v1/teams/${team.id}/members/${responder.userId}`, { teamRole: 'lead' });
    const carl = await addressOf((await world.member('Editor')).userId);
    const changed = {
      ...platform(),
      name: 'Night',
      members: [{ email: bob }, { email: carl, teamRole: 'lead' }],
      schedule: { rotation: 'daily', timezone: 'Europe/Dublin', participants: [carl] },
      serviceGroups: ['blog'],
    };
    const planned = await done('plan', documentOf({ platform: changed }));
    const update = planned.changes.find(({ action }: Json) => action === 'update');
    expect(Object.keys(update.fields)).to.have.members([
      'name',
      'members',
      'schedule.rotation',
      'schedule.timezone',
      'schedule.handoffDay',
      'schedule.participants',
      'serviceGroups',
    ]);
    expect(update.fields.serviceGroups).to.deep.equal({ from: ['shop'], to: ['blog'] });
    expect(update.fields['schedule.participants']).to.deep.equal({ from: [bob, ada], to: [carl] });
    await done('apply', documentOf({ platform: changed }));
    expect((await done('plan', documentOf({ platform: changed }))).summary).to.include({ unchanged: 3 });
    expect((await get('teams'))[0].members.map(({ email }: Json) => email)).to.have.members([bob, carl]);
    // Without a rotation in the document there is none.
    await done('apply', documentOf({ platform: { name: 'Night', members: [{ email: bob }] } }));
    expect((await get(`teams/${team.id}/schedule`)).rotation).to.equal(null);
    expect(await get(`teams/${team.id}/service-groups`)).to.deep.equal([]);
    await done('apply', documentOf({}), { prune: true });
    expect(await get('teams')).to.deep.equal([]);
  });

  it('have the faults of their people and rotations with path and line, all at once', async () => {
    await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE id = $1`, [
      (await world.member('Responder')).memberId,
    ]);
    const { status, body } = await world.api('POST', '/api/v1/config/plan', {
      document: `apiVersion: watchpost/v1
project: shop
teams:
  one:
    name: One
    members: [{ email: nobody@x.example }, { email: ${ada} }, { email: ${ada}, teamRole: boss }]
  two:
    name: Two
    members: [{ email: ${ada} }, { email: ${ada} }]
    schedule: { rotation: weekly, participants: [${bob}] }
    serviceGroups: [nowhere]
  three: { name: Three, colour: red, schedule: { rotation: daily } }
`,
    });
    expect([status, body.error]).to.deep.equal([400, 'validation_failed']);
    const faults = Object.fromEntries(body.details.map(({ path, message }: Json) => [path, message]));
    expect(Object.keys(faults)).to.have.members([
      'teams.one.members.2.teamRole',
      'teams.two.members.1.email',
      'teams.two.schedule.participants.0',
      'teams.two.serviceGroups.0',
      'teams.three.colour',
      'teams.three.schedule.participants',
    ]);
    expect(faults['teams.two.members.1.email']).to.match(/^is there already \(line 9, column \d+\)$/);
    const refused = await world.api('POST', '/api/v1/config/plan', {
      document: documentOf({
        one: { name: 'One', members: [{ email: 'nobody@x.example' }] },
        two: {
          name: 'Two',
          members: [{ email: bob }, { email: ada }],
          schedule: { rotation: 'daily', participants: [ada] },
        },
      }),
    });
    expect(refused.body.details).to.deep.equal([
      { path: 'teams.one.members.0.email', message: 'is no member of the workspace: invite them first' },
    ]);
    const suspended = await world.api('POST', '/api/v1/config/plan', {
      document: documentOf({
        two: {
          name: 'Two',
          members: [{ email: ada }, { email: bob }],
          schedule: { rotation: 'daily', handoffDay: 'monday', participants: [ada] },
        },
      }),
    });
    expect(suspended.body.details.map(({ path }: Json) => path)).to.deep.equal([
      'teams.two.members.1.email',
      'teams.two.schedule.handoffDay',
    ]);
  });

  it('are exported so that they can be applied where they came from', async () => {
    await world.api('POST', '/api/v1/teams', { name: 'Alone', description: 'By hand' });
    await done('apply', documentOf({ platform: platform() }));
    const exported = await get('config/export');
    const { startDate, ...schedule } = exported.teams.platform.schedule;
    expect(startDate).to.match(/^\d{4}-\d\d-\d\d$/);
    expect(schedule).to.deep.include({ rotation: 'weekly', participants: [bob, ada] });
    expect(exported.teams).to.deep.equal({
      alone: { name: 'Alone', description: 'By hand' },
      platform: {
        name: 'Platform',
        members: [{ email: ada, teamRole: 'lead' }, { email: bob }].toSorted((a, b) => (a.email < b.email ? -1 : 1)),
        schedule: exported.teams.platform.schedule,
        serviceGroups: ['shop'],
      },
    });
    const adopted = await done('apply', { ...exported, project: 'shop' }, { adopt: true });
    expect(adopted.summary).to.deep.equal({ create: 0, update: 1, delete: 0, orphan: 0, unchanged: 3 });
  });

  it('have the coming overrides of a document, and leave those of other documents and of the past alone', async () => {
    const at = (days: number) => new Date(app.clock.now() + days * 86_400_000).toISOString();
    const with_ = (overrides: object[] | undefined) =>
      documentOf({ platform: { ...platform(), ...(overrides ? { overrides } : {}) } });
    const past = { email: bob, start: at(-3), end: at(-2) };
    const coming = { schedule: 1, email: ada, start: at(3), end: at(4), reason: 'Holiday' };
    await done('apply', with_([past, coming]));
    const [team] = await get('teams');
    const shown = async () => (await get(`teams/${team.id}/schedule`)).overrides;
    expect(await shown()).to.have.lengthOf(1);
    expect((await shown())[0]).to.include({ userId: world.owner.userId, start: coming.start, reason: 'Holiday' });
    expect((await done('plan', with_([past, coming]))).summary).to.include({ update: 0, unchanged: 3 });

    const byHand = { userId: world.owner.userId, start: at(6), end: at(7) };
    await world.api('POST', `/api/v1/teams/${team.id}/schedule/overrides`, byHand);
    expect((await done('plan', with_(undefined))).summary, 'without the field').to.include({ update: 0 });
    const plan = await done('plan', with_([coming]));
    expect(plan.changes.find(({ action }: Json) => action === 'update').fields).to.have.all.keys('overrides');
    await done('apply', with_([coming, { email: bob, start: at(8), end: at(9) }]));
    expect((await shown()).map(({ start }: Json) => start)).to.deep.equal([at(3), at(8)]);
    const exported = (await get('config/export')).teams.platform;
    expect(exported.overrides.map(({ email }: Json) => email)).to.deep.equal([ada, bob]);

    const refused = await world.api('POST', '/api/v1/config/plan', {
      document: with_([{ schedule: 2, email: 'nobody@x.example', start: at(2), end: at(1) }]),
    });
    expect(refused.body.details.map(({ path }: Json) => path)).to.have.members([
      'teams.platform.overrides.0.schedule',
      'teams.platform.overrides.0.email',
      'teams.platform.overrides.0.end',
    ]);
  });

  it('have overrides in the order in which they count, each as often as the document has it', async () => {
    const at = (days: number) => new Date(app.clock.now() + days * 86_400_000).toISOString();
    const with_ = (overrides: object[]) => documentOf({ platform: { ...platform(), overrides } });
    const week = { email: ada, start: at(1), end: at(8), reason: 'Ill' };
    const day = { email: bob, start: at(3), end: at(4), reason: 'Day' };
    const onCall = async () => (await get(`teams/${(await get('teams'))[0].id}/oncall?at=${at(3.5)}`)).user.email;
    for (const [overrides, who] of [
      [[week, day], bob],
      [[day, week, week], ada],
      [[day, week], ada],
      [[week, { ...week, reason: 'Away' }, day], bob],
      [[{ ...week, reason: 'Away' }, day], bob],
      [[day, { ...week, reason: 'Away' }], ada],
    ] as [object[], string][]) {
      await done('apply', with_(overrides));
      expect((await done('plan', with_(overrides))).summary, JSON.stringify(overrides)).to.include({ unchanged: 3 });
      expect(await onCall(), JSON.stringify(overrides)).to.equal(who);
      const { overrides: exported } = (await get('config/export')).teams.platform;
      expect(exported.map(({ email, start }: Json) => [email, start])).to.deep.equal(
        overrides.map(({ email, start }: Json) => [email, start]),
      );
    }
    await app.sql(
      `INSERT INTO on_call_override (id, workspace_id, team_id, schedule_id, user_id, starts, ends, created)
       SELECT gen_random_uuid(), workspace_id, team_id, schedule_id, user_id, $1::timestamptz - interval '1 day', $1, $1
       FROM (SELECT * FROM on_call_override LIMIT 1) one, generate_series(1, 498)`,
      [at(-1)],
    );
    await done('apply', with_([day, day]));
  });

  it('need an Admin, also to be exported and detached', async () => {
    await done('apply', documentOf({ platform: platform() }));
    const editor = await world.member('Editor');
    const calls = [
      editor.api('POST', '/api/v1/config/plan', { document: documentOf({ platform: platform() }) }),
      editor.api('POST', '/api/v1/config/apply', { document: documentOf({}), prune: true }),
      editor.api('POST', '/api/v1/config/detach', { project: 'shop', objects: [{ kind: 'teams', key: 'platform' }] }),
    ];
    for (const { status, body } of await Promise.all(calls))
      expect([status, body.error], JSON.stringify(body)).to.deep.equal([403, 'insufficient_workspace_role']);
    const { body } = await editor.api('GET', '/api/v1/config/export');
    expect(body).to.have.property('serviceGroups').and.not.to.equal(undefined);
    expect(body).not.to.have.property('teams');
    const { body: orphans } = await editor.api('POST', '/api/v1/config/apply', { document: documentOf({}) });
    expect(orphans.summary).to.include({ orphan: 1, unchanged: 2 });
    const detached = await world.api('POST', '/api/v1/config/detach', {
      project: 'shop',
      objects: [{ kind: 'teams', key: 'platform' }],
    });
    expect(detached.body).to.deep.equal({ detached: 1 });
  });

  it('name a member by the user id where the address is not theirs alone', async () => {
    const responder = await world.member('Responder');
    await app.sql('UPDATE user_account SET email = $2 WHERE id = $1', [responder.userId, ada]);
    const shared = documentOf({ platform: { name: 'Platform', members: [{ email: ada }] } });
    const refused = await world.api('POST', '/api/v1/config/plan', { document: shared });
    expect(refused.body.details[0].message).to.include('several members');
    const document = documentOf({ platform: { name: 'Platform', members: [{ email: responder.userId }] } });
    await done('apply', document);
    expect((await done('plan', document)).summary).to.include({ unchanged: 3 });
    expect((await get('config/export')).teams.platform.members).to.deep.equal([{ email: responder.userId }]);
  });
});

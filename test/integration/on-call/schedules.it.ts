import { expect } from 'chai';
import { MINUTE_MS } from '@watchpost/shared/time';
import { readTeamOnCall } from '@watchpost/control-plane/capabilities/on-call/index';
import { NOON, type TestUser } from '../../support/app.js';
import type { Json } from '../../support/product.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { readCalendarText } from './read-calendar.js';
import { seedRotation, seedTeam, type SeededTeam } from './world.js';

describe('schedules with layers', () => {
  const app = appForSuite();
  let world: World;
  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app);
  });

  const layersOf = ({ ann, bob, cyd }: SeededTeam) => [
    {
      name: 'Weeks',
      rotation: { unit: 'week', handoffTime: '09:00', handoffDay: 'monday' },
      startDate: '2026-11-16',
      participants: [ann.userId, bob.userId],
    },
    {
      name: 'Nights',
      rotation: { unit: 'day', handoffTime: '18:00' },
      startDate: '2026-11-16',
      restrictions: [{ days: ['friday', 'monday'], start: '22:00', end: '06:00' }],
      participants: [cyd.userId],
    },
  ];
  const make = (team: SeededTeam, more: object = {}) =>
    create<Json>(world.api, `${team.path}/schedules`, {
      name: 'Nights covered',
      timezone: 'Europe/Berlin',
      layers: layersOf(team),
      ...more,
    });
  const who = async (path: string, at: string): Promise<string | null> =>
    (await world.api('GET', `${path}/oncall?at=${at}`)).body.user?.userId ?? null;
  const answer = async (method: string, path: string, body?: object): Promise<Json> => {
    const answered = await world.api(method, path, body);
    expect(answered.status, JSON.stringify(answered.body)).to.be.below(300);
    return answered.body;
  };

  it('have defaults, final shifts and somebody on call, and survive as they were given', async () => {
    const team = await seedTeam(world);
    const made = await make(team);
    expect(made.layers[1]).to.deep.equal({
      name: 'Nights',
      rotation: { unit: 'day', every: 1, handoffTime: '18:00', handoffDay: null },
      startDate: '2026-11-16',
      endDate: null,
      restrictions: [{ days: ['monday', 'friday'], start: '22:00', end: '06:00' }],
      holidays: 'ignore',
      participants: [team.cyd.userId],
    });
    const path = `${team.path}/schedules/${made.id}`;
    expect(await answer('GET', path)).to.deep.equal(made);
    expect(await answer('GET', `${team.path}/schedules`)).to.deep.equal([made]);
    expect(await who(path, '2026-11-20T20:59:59Z')).to.equal(team.ann.userId);
    expect(await who(path, '2026-11-20T21:00:00Z'), 'Friday at ten').to.equal(team.cyd.userId);
    expect(await who(path, '2026-11-21T05:00:00Z'), 'Saturday at six').to.equal(team.ann.userId);
    const shifts = await answer('GET', `${path}/preview?startDate=2026-11-20T12:00:00Z&endDate=2026-11-24T12:00:00Z`);
    expect(shifts.map(({ user, start }: Json) => [user.userId, start])).to.deep.equal([
      [team.ann.userId, '2026-11-20T12:00:00.000Z'],
      [team.cyd.userId, '2026-11-20T21:00:00.000Z'],
      [team.ann.userId, '2026-11-21T05:00:00.000Z'],
      [team.bob.userId, '2026-11-23T08:00:00.000Z'],
      [team.cyd.userId, '2026-11-23T21:00:00.000Z'],
      [team.bob.userId, '2026-11-24T05:00:00.000Z'],
    ]);
  });

  it('begin with the one that the paths of the specification mean, and are all named in calendar and shifts', async () => {
    const team = await seedTeam(world);
    const made = await make(team);
    const range = 'startDate=2026-11-20T12:00:00Z&endDate=2026-12-04T12:00:00Z';
    const [alone] = await answer('GET', `/api/v1/on-call/shifts?${range}`);
    expect(alone.shifts[0], 'one has no name').to.not.have.any.keys('scheduleId', 'scheduleName');
    const other = await make(team, { name: 'Second', layers: [layersOf(team)[1]] });
    const path = `${team.path}/schedules/${made.id}`;
    const simple = await answer('GET', `${team.path}/schedule`);
    expect(simple).to.deep.include({ rotation: 'weekly', handoffDay: 'monday', timezone: 'Europe/Berlin' });
    const shifts = await answer('GET', `${team.path}/schedule/preview?${range}`);
    expect(shifts).to.deep.equal(await answer('GET', `${path}/preview?${range}`));
    const calendar = String((await world.api('GET', `${team.path}/schedule.ics`)).body);
    const [listed] = await answer('GET', `/api/v1/on-call/shifts?${range}`);
    const spans = (all: Json[]) => all.map(({ start, end }) => [start, end]);
    const named = (id: string, name: string) =>
      listed.shifts.filter((one: Json) => one.scheduleId === id && one.scheduleName === name);
    expect(spans(named(made.id, made.name))).to.deep.equal(spans(shifts));
    const nights = (await answer('GET', `${team.path}/schedules/${other.id}/preview?${range}`)) as Json[];
    expect(spans(named(other.id, 'Second'))).to.deep.equal(spans(nights.filter(({ user }) => user !== null)));
    expect(listed.gaps.map((one: Json) => one.scheduleName)).to.include('Second');
    expect(calendar).to.include(`(${made.name}) on call: `).and.include('(Second) on call: ');
    for (const { user, start } of shifts.slice(1)) {
      expect(calendar).to.include(`DTSTART:${start.replaceAll(/[-:]|\.000/g, '')}`);
      expect(await who(team.path, start)).to.equal(user.userId);
    }
    await answer('PUT', `${team.path}/schedule`, { handoffTime: '10:00' });
    const changed = await answer('GET', path);
    expect(changed.layers.map(({ rotation }: Json) => rotation.handoffTime)).to.deep.equal(['10:00', '18:00']);
    await answer('DELETE', path);
    const [second] = await answer('GET', `${team.path}/schedules`);
    expect(second.name).to.equal('Second');
    expect((await answer('GET', `${team.path}/schedule`)).participants).to.deep.equal([team.cyd.userId]);
  });

  it('change after the shift under way, unless its person no longer takes part, and never in the past', async () => {
    const team = await seedRotation(world);
    const [{ id }] = await answer('GET', `${team.path}/schedules`);
    const path = `${team.path}/schedules/${id}`;
    const past = () => answer('GET', `${path}/preview?startDate=2026-11-16T08:00:00Z&endDate=2026-11-21T12:00:00Z`);
    const before = await past();
    // It is noon on Saturday: Cyd's shift lasts until nine on Sunday.
    const [layer] = (await answer('GET', path)).layers;
    const layers = [
      {
        ...layer,
        participants: [team.ann.userId, team.cyd.userId],
        rotation: { unit: 'hour', every: 8, handoffTime: '09:00' },
      },
    ];
    const previewed = await answer('POST', `${path}/preview`, { layers });
    const range = 'startDate=2026-12-20T00:00:00Z&endDate=2027-01-20T00:00:00Z';
    const later = await answer('POST', `${path}/preview?${range}`, { layers });
    await answer('PATCH', path, { layers });
    expect(await answer('GET', `${path}/preview`)).to.deep.equal(previewed);
    expect(await answer('GET', `${path}/preview?${range}`)).to.deep.equal(later);
    expect(await past()).to.deep.equal(before);
    expect(await answer('GET', `${path}/oncall`)).to.deep.include({ until: '2026-11-22T08:00:00.000Z' });
    expect(await who(path, '2026-11-22T16:00:00Z')).not.to.equal(await who(path, '2026-11-22T15:59:59Z'));
    await answer('PATCH', path, { layers: [{ ...layer, participants: [team.bob.userId] }] });
    expect(await who(path, new Date(app.clock.now()).toISOString())).to.equal(team.bob.userId);
    expect(await past()).to.deep.equal(before);
  });

  it('are listed in one answer only where that has at most 20,000 shifts', async () => {
    const team = await seedTeam(world);
    const hourly = {
      layers: [{ name: 'Hours', rotation: { unit: 'hour' }, startDate: '2026-11-01', participants: [team.ann.userId] }],
    };
    const { length } = (await world.api('GET', `${team.path}/schedules`)).body;
    for (let place = length; place < 10; place++)
      await create(world.api, `${team.path}/schedules`, { name: `Hours ${place}`, ...hourly });
    const of = (days: number) =>
      world.api(
        'GET',
        `/api/v1/on-call/shifts?startDate=2026-12-01T00:00:00Z&endDate=${new Date(Date.UTC(2026, 11, 1 + days)).toISOString()}`,
      );
    expect((await of(30)).status).to.equal(200);
    const refused = await of(92);
    expect([refused.status, refused.body.details[0].path]).to.deep.equal([400, 'endDate']);
    expect((await world.api('GET', `${team.path}/schedule.ics`)).status).to.equal(200);
  });

  it('have overrides of their own, and holidays', async () => {
    const team = await seedRotation(world);
    const made = await make(team, {
      holidays: ['2026-11-25', '2026-11-24', '2026-11-25'],
      layers: [{ ...layersOf(team)[0], holidays: 'skip' }],
    });
    const path = `${team.path}/schedules/${made.id}`;
    expect((await answer('GET', path)).holidays).to.deep.equal(['2026-11-24', '2026-11-25']);
    expect(await who(path, '2026-11-24T12:00:00Z')).to.equal(null);
    const span = { userId: team.cyd.userId, start: '2026-11-24T10:00:00Z', end: '2026-11-24T14:00:00Z' };
    const override = await create(world.api, `${path}/overrides`, span);
    expect(await who(path, '2026-11-24T12:00:00Z')).to.equal(team.cyd.userId);
    expect((await answer('GET', `${team.path}/schedule`)).overrides).to.deep.equal([]);
    expect((await world.api('DELETE', `${team.path}/schedule/overrides/${override.id}`)).status).to.equal(404);
    await answer('DELETE', `${path}/overrides/${override.id}`);
    expect(await who(path, '2026-11-24T12:00:00Z')).to.equal(null);
  });

  it('refuse all faults at once, an eleventh schedule, and a plan without rotations', async () => {
    const team = await seedTeam(world);
    const stranger = await app.user();
    const [weeks, nights] = layersOf(team);
    const refused = await world.api('POST', `${team.path}/schedules`, {
      name: 'Wrong',
      layers: [
        { ...weeks, participants: [team.ann.userId, stranger.userId, team.ann.userId], endDate: '2026-11-16' },
        { ...nights, rotation: { unit: 'day', handoffDay: 'monday' } },
      ],
    });
    expect(refused.body.details.map(({ path }: Json) => path)).to.have.members([
      'layers.0.participants.1',
      'layers.0.participants.2',
      'layers.0.endDate',
      'layers.1.rotation.handoffDay',
    ]);
    for (let count = 0; count < 10; count++) await make(team);
    const eleventh = await world.api('POST', `${team.path}/schedules`, { name: 'Eleventh', layers: [nights] });
    expect([eleventh.status, eleventh.body.message]).to.deep.equal([
      400,
      'A team has at most 10 schedules: delete one first.',
    ]);
    await app.setPlan('Starter', {}, world.owner);
    const unpaid = await world.api('POST', `${team.path}/schedules`, { name: 'Unpaid', layers: [nights] });
    expect([unpaid.status, unpaid.body.error]).to.deep.equal([403, 'feature_not_in_plan']);
  });

  it('are in the audit log, and change only for those who have seen the newest version', async () => {
    const team = await seedTeam(world);
    const made = await make(team);
    const path = `${team.path}/schedules/${made.id}`;
    const { headers } = await world.api('GET', path);
    await answer('PATCH', path, { name: 'Renamed' });
    expect((await world.api('PATCH', path, { name: 'Again' }, { 'if-match': headers.get('etag')! })).status).to.equal(
      412,
    );
    await answer('PATCH', path, { name: 'Renamed' });
    await answer('DELETE', path);
    const entries = await answer('GET', `/api/v1/workspaces/${world.workspaceId}/audit?targetId=${made.id}`);
    // All at the same moment.
    expect(entries.map(({ action }: Json) => action)).to.have.members([
      'schedule.deleted',
      'schedule.updated',
      'schedule.created',
    ]);
    expect(entries.find(({ action }: Json) => action === 'schedule.updated').changes).to.deep.equal({
      name: { from: 'Nights covered', to: 'Renamed' },
    });
  });

  for (const [timezone, startDate, change, now] of [
    ['Australia/Lord_Howe', '2027-04-01', '2027-04-03T15:00:00Z', '2027-04-18T04:10:00Z'],
    ['Africa/Casablanca', '2027-03-11', '2027-03-14T02:00:00Z', '2027-03-29T04:10:00Z'],
  ] as const)
    it(`are the same in every minute around a change of the clocks, wherever they are shown: ${timezone}`, async () => {
      const team = await seedTeam(world);
      const at = (minutes: number) => new Date(Date.parse(change) + minutes * MINUTE_MS).toISOString();
      const zone = new Intl.DateTimeFormat('en-GB', { timeZone: timezone, weekday: 'short', hour: '2-digit' });
      const offset = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' });
      expect(offset.format(Date.parse(at(-1))), 'the clocks change').not.to.equal(offset.format(Date.parse(change)));
      app.clock.set(Date.parse(startDate));
      const participants = [team.ann, team.bob, team.cyd].map(({ userId }) => userId);
      const days = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
      const layerOf = (name: string, handoffTime: string, restriction: object, more: object) => ({
        ...{ name, startDate, participants, restrictions: [restriction] },
        rotation: { unit: 'day', handoffTime, ...more },
      });
      const layers = [
        layerOf('Days', '01:45', { days, start: '18:20', end: '11:00' }, {}),
        layerOf(
          'Ends of weeks',
          '02:10',
          { days: ['saturday'], start: '23:50', end: '02:20' },
          { unit: 'hour', every: 7 },
        ),
      ];
      const path = `${team.path}/schedules/${(await make(team, { timezone, layers })).id}`;
      const previewOf = (from: string, to: string): Promise<Json[]> =>
        answer('GET', `${path}/preview?startDate=${from}&endDate=${to}`) as Promise<Json[]>;
      const shift = (await previewOf(at(-2_880), at(2_880))).find(({ user, end }) => user && end > change)!;
      const [giver, taker] = [team.ann, team.bob, team.cyd].toSorted(
        (a, b) => Number(b.userId === shift.user.userId) - Number(a.userId === shift.user.userId),
      ) as [TestUser, TestUser];
      const offer = { shiftStart: shift.start, shiftEnd: shift.end };
      const swap = await create<Json>(world.as(giver), `${path}/swaps`, offer);
      expect((await world.as(taker)('POST', `${path}/swaps/${swap.id}/accept`)).status).to.equal(200);
      await answer('POST', `${path}/overrides`, { userId: giver.userId, start: at(-20), end: at(95) });

      app.clock.set(Date.parse(now));
      const report = await answer('GET', `${path}/on-call-report?month=${startDate.slice(0, 7)}`);
      expect(report.to).to.equal(new Date(now).toISOString());
      const shifts = await previewOf(report.from, report.to);
      const { events } = readCalendarText((await world.api('GET', `${team.path}/schedule.ics`)).body as string);
      const differences: string[] = [];
      const hours = new Map<string, Record<string, number>>();
      for (const { user, start, end } of shifts)
        for (let ms = Date.parse(start); ms < Date.parse(end); ms += MINUTE_MS) {
          const fed = events.filter(({ startMs, endMs }) => startMs <= ms && ms < endMs).map(({ summary }) => summary);
          if (fed.join() !== (user ? `Night watch on call: ${user.name}` : ''))
            differences.push(`${ms}: ${fed.join()}`);
          if (!user) continue;
          const [weekday, , hour] = zone.formatToParts(ms).map(({ value }) => value);
          const kind = weekday!.startsWith('S') ? 'weekend' : Number(hour) % 22 < 6 ? 'night' : 'weekday';
          const own = hours.get(user.userId) ?? { weekday: 0, night: 0, weekend: 0, holiday: 0 };
          own[kind]! += 1 / 60;
          hours.set(user.userId, own);
        }
      expect(differences).to.deep.equal([]);
      for (const { user, hours: counted } of report.people as Json[])
        for (const [kind, own] of Object.entries(hours.get(user.userId)!))
          expect(counted[kind], `${kind} of ${user.name}`).to.be.closeTo(own, 0.006);
      const near = shifts.filter(({ start, end }) => end > at(-1_440) && start < at(1_440));
      expect(near.map(({ source }) => source)).to.include.members(['rotation', 'override', 'none']);
      for (const { user, source, start, end } of near)
        for (const moment of [start, new Date(Date.parse(end) - 1).toISOString()]) {
          const shown = await answer('GET', `${path}/oncall?at=${moment}`);
          expect([shown.user, shown.source], moment).to.deep.equal([user, source]);
          const paged = await app.db.read((tx) => readTeamOnCall(tx, world.workspaceId, team.id, Date.parse(moment)));
          expect(paged!.userId, moment).to.equal(user?.userId ?? null);
        }
    });
});

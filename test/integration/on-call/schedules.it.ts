import { expect } from 'chai';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { Json } from '../../support/product.js';
import { create, makeWorld, type World } from '../../support/seed.js';
import { seedRotation, seedTeam, type SeededTeam } from './world.js';

describe('schedules with layers', () => {
  let app: TestApp;
  let world: World;
  before(async () => {
    app = await startTestApp();
  });
  after(() => app.stop());
  beforeEach(async () => {
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

  it('begin with the one that the paths of the specification mean, in calendar and on-call answers too', async () => {
    const team = await seedTeam(world);
    const made = await make(team);
    await make(team, { name: 'Second', layers: [layersOf(team)[1]] });
    const path = `${team.path}/schedules/${made.id}`;
    const simple = await answer('GET', `${team.path}/schedule`);
    expect(simple).to.deep.include({ rotation: 'weekly', handoffDay: 'monday', timezone: 'Europe/Berlin' });
    const range = 'startDate=2026-11-20T12:00:00Z&endDate=2026-12-04T12:00:00Z';
    const shifts = await answer('GET', `${team.path}/schedule/preview?${range}`);
    expect(shifts).to.deep.equal(await answer('GET', `${path}/preview?${range}`));
    const calendar = String((await world.api('GET', `${team.path}/schedule.ics`)).body);
    const [listed] = await answer('GET', `/api/v1/on-call/shifts?${range}`);
    expect(listed.shifts.map(({ start, end }: Json) => [start, end])).to.deep.equal(
      shifts.map(({ start, end }: Json) => [start, end]),
    );
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
    await answer('PATCH', path, { layers });
    expect(await answer('GET', `${path}/preview`)).to.deep.equal(previewed);
    expect(await past()).to.deep.equal(before);
    expect(await answer('GET', `${path}/oncall`)).to.deep.include({ until: '2026-11-22T08:00:00.000Z' });
    expect(await who(path, '2026-11-22T16:00:00Z')).not.to.equal(await who(path, '2026-11-22T15:59:59Z'));
    await answer('PATCH', path, { layers: [{ ...layer, participants: [team.bob.userId] }] });
    expect(await who(path, new Date(app.clock.now()).toISOString())).to.equal(team.bob.userId);
    expect(await past()).to.deep.equal(before);
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
});

import { expect } from 'chai';
import { create } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { rotationOf, seedRotation, seedTeam, type SeededTeam } from './world.js';

describe('on call over REST', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  // Noon in UTC on Saturday 2026-11-21: the sixth day of the rotation, Cyd's.
  const onCall = async ({ path }: SeededTeam, at = '') =>
    (await world.api('GET', `${path}/oncall${at === '' ? '' : `?at=${at}`}`)).body;
  const who = async (team: SeededTeam, at = '') => (await onCall(team, at)).user?.userId ?? null;
  const addOverride = (team: SeededTeam, userId: string, start: string, end: string) =>
    create(world.api, `${team.path}/schedule/overrides`, { userId, start, end });
  const setStatus = (userId: string, status: string) =>
    app.sql('UPDATE workspace_member SET status = $3 WHERE workspace_id = $1 AND user_id = $2', [
      world.workspaceId,
      userId,
      status,
    ]);

  it('answers nulls before a rotation is set, with nobody on call', async () => {
    const team = await seedTeam(world);
    expect((await world.api('GET', `${team.path}/schedule`)).body).to.deep.equal({
      teamId: team.id,
      rotation: null,
      timezone: null,
      handoffTime: null,
      handoffDay: null,
      startDate: null,
      participants: null,
      unavailable: [],
      overrides: [],
      planRestricted: false,
      created: null,
      lastModified: null,
    });
    expect(await onCall(team)).to.deep.equal({ user: null, source: 'none', since: null, until: null, next: null });
  });

  it('answers the person, the start and end of the shift, and the next person', async () => {
    const team = await seedRotation(world);
    const person = ({ userId, email, sub }: SeededTeam['ann']) => ({ userId, email, name: `The ${sub}` });
    expect(await onCall(team)).to.deep.equal({
      user: person(team.cyd),
      source: 'rotation',
      since: '2026-11-21T08:00:00.000Z',
      until: '2026-11-22T08:00:00.000Z',
      next: { user: person(team.ann), at: '2026-11-22T08:00:00.000Z' },
    });
    expect(await who(team, '2026-11-16T07:59:59.999Z')).to.equal(null);
    expect((await onCall(team, '2026-11-01T00:00:00Z')).next).to.deep.equal({
      user: person(team.ann),
      at: '2026-11-16T08:00:00.000Z',
    });
  });

  it('previews a rotation before it is saved, as it will be afterwards, and changes nothing', async () => {
    const team = await seedRotation(world);
    const before = (await world.api('GET', `${team.path}/schedule`)).body;
    const body = { participants: [team.bob.userId, team.ann.userId], handoffTime: '17:30' };
    const { body: previewed } = await world.api('POST', `${team.path}/schedule/preview`, body);
    expect((await world.api('GET', `${team.path}/schedule`)).body).to.deep.equal(before);
    expect((await world.api('PUT', `${team.path}/schedule`, body)).status).to.equal(200);
    expect((await world.api('GET', `${team.path}/schedule/preview`)).body).to.deep.equal(previewed);
    const wrong = await world.api('POST', `${team.path}/schedule/preview`, { participants: [world.workspaceId] });
    expect(wrong.body.details).to.deep.include({
      path: 'participants.0',
      message: 'must be an active member of this team',
    });
  });

  it('answers the person of an override while it lasts; the latest created override wins', async () => {
    const team = await seedRotation(world);
    await addOverride(team, team.ann.userId, '2026-11-21T10:00:00Z', '2026-11-21T20:00:00Z');
    const later = await addOverride(team, team.bob.userId, '2026-11-21T11:00:00+00:00', '2026-11-21T13:00:00Z');
    expect(await onCall(team)).to.deep.include({
      source: 'override',
      since: '2026-11-21T11:00:00.000Z',
      until: '2026-11-21T13:00:00.000Z',
    });
    expect(await who(team)).to.equal(team.bob.userId);
    expect(await who(team, '2026-11-21T13:00:00Z')).to.equal(team.ann.userId);
    expect(await who(team, '2026-11-21T20:00:00Z')).to.equal(team.cyd.userId);
    expect((await world.api('DELETE', `${team.path}/schedule/overrides/${later.id}`)).status).to.equal(204);
    expect(await who(team)).to.equal(team.ann.userId);
    const { body } = await world.api('GET', `${team.path}/schedule`);
    expect(body.overrides.map(({ userId }: { userId: string }) => userId)).to.deep.equal([team.ann.userId]);
  });

  it('agrees with the preview at every moment, which covers its range without a gap', async () => {
    const team = await seedRotation(world);
    await addOverride(team, team.bob.userId, '2026-11-21T11:00:00Z', '2026-11-23T11:00:00Z');
    const query = 'startDate=2026-11-14T12:00:00Z&endDate=2026-11-26T12:00:00Z';
    const { body: shifts } = await world.api('GET', `${team.path}/schedule/preview?${query}`);
    expect(shifts[0]).to.deep.equal({
      user: null,
      source: 'none',
      start: '2026-11-14T12:00:00.000Z',
      end: '2026-11-16T08:00:00.000Z',
    });
    expect(shifts.at(-1).end).to.equal('2026-11-26T12:00:00.000Z');
    for (const [index, shift] of shifts.entries()) {
      if (index > 0) expect(shift.start).to.equal(shifts[index - 1].end);
      expect(await onCall(team, shift.start)).to.deep.include({ user: shift.user, source: shift.source });
      const last = new Date(Date.parse(shift.end) - 1).toISOString();
      expect(await onCall(team, last)).to.deep.include({ user: shift.user, source: shift.source });
    }
    for (const range of [
      'startDate=2026-01-01T00:00:00Z&endDate=2027-01-03T00:00:00Z',
      'endDate=2026-01-01T00:00:00Z',
      'startDate=2026-01-02T00:00:00Z&endDate=2026-01-01T00:00:00Z',
      'startDate=2300-01-01T00:00:00Z',
    ]) {
      const refused = await world.api('GET', `${team.path}/schedule/preview?${range}`);
      expect(refused.body.error, range).to.equal('validation_failed');
    }
  });

  it('gives the shifts of a suspended person to the next one until the suspension ends', async () => {
    const team = await seedRotation(world);
    await addOverride(team, team.cyd.userId, '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z');
    await setStatus(team.cyd.userId, 'suspended');
    expect(await who(team)).to.equal(team.ann.userId);
    expect(await who(team, '2026-11-22T12:00:00Z'), 'nobody else’s turn moves').to.equal(team.ann.userId);
    expect(await onCall(team, '2026-11-23T12:00:00Z')).to.deep.include({ source: 'rotation' });
    const { body } = await world.api('GET', `${team.path}/schedule`);
    expect(body).to.deep.include({ participants: rotationOf(team).participants, unavailable: [team.cyd.userId] });
    await setStatus(team.cyd.userId, 'active');
    expect(await who(team)).to.equal(team.cyd.userId);
    for (const { userId } of [team.ann, team.bob, team.cyd]) await setStatus(userId, 'suspended');
    expect(await onCall(team)).to.deep.equal({ user: null, source: 'none', since: null, until: null, next: null });
  });

  it('removes a person who leaves the workspace or the team from rotation and overrides at once', async () => {
    const team = await seedRotation(world);
    await addOverride(team, team.cyd.userId, '2026-11-23T00:00:00Z', '2026-11-24T00:00:00Z');
    const { memberId } = await world.member('Responder');
    const removed = await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${memberId}`);
    expect(removed.status).to.equal(204);
    expect(await who(team)).to.equal(team.ann.userId);
    const { body } = await world.api('GET', `${team.path}/schedule`);
    expect(body).to.deep.include({ participants: [team.ann.userId, team.bob.userId], overrides: [] });
    expect((await world.api('GET', team.path)).body.members).to.have.length(2);
    expect((await world.api('DELETE', `${team.path}/members/${team.ann.userId}`)).status).to.equal(204);
    expect(await who(team)).to.equal(team.bob.userId);
    expect((await create(world.api, `${team.path}/members`, { userId: team.ann.userId })).userId).to.be.a('string');
    expect(await who(team), 'coming back to the team is not coming back to the rotation').to.equal(team.bob.userId);
  });

  it('answers nobody where the plan no longer has rotations, and keeps the schedule', async () => {
    const team = await seedRotation(world);
    await addOverride(team, team.ann.userId, '2026-11-21T10:00:00Z', '2026-11-21T20:00:00Z');
    await app.setPlan('Starter', {}, world.owner);
    expect(await onCall(team)).to.deep.include({ user: null, source: 'none' });
    expect((await world.api('GET', `${team.path}/schedule`)).body).to.deep.include({
      planRestricted: true,
      participants: rotationOf(team).participants,
    });
    const refused = await world.api('PUT', `${team.path}/schedule`, { handoffTime: '10:00' });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'feature_not_in_plan']);
    expect(refused.body.details[0]).to.deep.include({ feature: 'rotations', plan: 'Growth' });
    const override = { userId: team.ann.userId, start: '2026-12-01T00:00:00Z', end: '2026-12-02T00:00:00Z' };
    const alsoRefused = await world.api('POST', `${team.path}/schedule/overrides`, override);
    expect(alsoRefused.body.error).to.equal('feature_not_in_plan');
    await app.setPlan('Growth', {}, world.owner);
    expect(await who(team)).to.equal(team.ann.userId);
  });

  it('keeps the fields of a schedule that are not named, and names all faults at once', async () => {
    const team = await seedRotation(world);
    const put = (body: object, headers?: Record<string, string>) =>
      world.api('PUT', `${team.path}/schedule`, body, headers);
    const before = (await world.api('GET', `${team.path}/schedule`)).body;
    expect((await put({})).body).to.deep.equal(before);
    const changed = await put({ rotation: 'weekly', handoffTime: '08:15' });
    expect(changed.body).to.deep.include({
      rotation: 'weekly',
      handoffDay: 'monday',
      handoffTime: '08:15',
      timezone: 'Europe/Berlin',
      participants: before.participants,
      created: before.created,
    });
    expect(changed.body.lastModified).to.not.equal(before.lastModified);
    const stranger = await app.user();
    const wrong = await put({
      rotation: 'daily',
      handoffDay: 'friday',
      participants: [team.bob.userId, stranger.userId, team.bob.userId, world.owner.userId],
    });
    expect(wrong.body.details.map(({ path }: { path: string }) => path)).to.have.members([
      'handoffDay',
      'participants.1',
      'participants.2',
      'participants.3',
    ]);
    const malformed = await put({
      timezone: '+01:00',
      handoffTime: '24:00',
      startDate: '2026-02-30',
      participants: [],
    });
    expect(malformed.body.details.map(({ path }: { path: string }) => path)).to.have.members([
      'timezone',
      'handoffTime',
      'startDate',
      'participants',
    ]);
  });

  it('serves a calendar with every shift in UTC and stable ids, and sends it again only after a change', async () => {
    const team = await seedRotation(world);
    await world.api('PATCH', team.path, { name: 'Nacht; Wache, „Köln“ – Überwachung der Bezahlvorgänge im Laden' });
    const first = await world.api('GET', `${team.path}/schedule.ics`);
    expect(first.headers.get('content-type')).to.equal('text/calendar; charset=utf-8');
    const text = String(first.body);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).to.be.at.most(75);
    const lines = text.replaceAll('\r\n ', '').split('\r\n');
    expect(lines).to.include('DTSTART:20261121T080000Z');
    expect(lines).to.include('DTEND:20261122T080000Z');
    expect(lines.find((line) => line.startsWith('NAME:'))).to.include(String.raw`Nacht\; Wache\, „Köln“`);
    const uids = lines.filter((line) => line.startsWith('UID:'));
    expect(new Set(uids).size).to.equal(uids.length);
    expect(uids.length).to.be.within(180, 190);
    app.clock.advance(90_000);
    const tag = first.headers.get('etag')!;
    const same = await world.api('GET', `${team.path}/schedule.ics`, undefined, { 'if-none-match': tag });
    expect(same.status).to.equal(304);
    await addOverride(team, team.bob.userId, '2026-11-25T11:00:00Z', '2026-11-25T12:00:00Z');
    const other = await world.api('GET', `${team.path}/schedule.ics`, undefined, { 'if-none-match': tag });
    const otherUids = String(other.body)
      .replaceAll('\r\n ', '')
      .split('\r\n')
      .filter((line) => line.startsWith('UID:'));
    expect(otherUids).to.include.members(uids);
    expect(otherUids).to.have.length(uids.length + 2);
  });
});

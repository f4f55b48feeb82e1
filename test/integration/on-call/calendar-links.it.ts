import { expect } from 'chai';
import { create, makeWorld } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';
import { readCalendarText } from './read-calendar.js';
import { seedRotation, type SeededTeam } from './world.js';

interface Link {
  id: string;
  url: string;
  userId: string;
  name: string;
  lastRead: string | null;
}

describe('a link to the calendar of a team', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  let team: SeededTeam;

  beforeEach(async () => {
    team = await seedRotation(world);
  });

  const links = () => `${team.path}/calendar-links`;
  const make = (api = world.api, name = 'My phone') => create<Link>(api, links(), { name });
  const list = async (api = world.api) => (await api<Link[]>('GET', links())).body;
  /** As calendar programs ask: without a token, and for whatever there is. */
  const subscribe = (url: string, headers: Record<string, string> = {}) =>
    fetch(url, { headers: { accept: '*/*', ...headers }, redirect: 'error' });
  const status = async (url: string) => (await subscribe(url)).status;

  it('has the same shifts as the feed with a token', async () => {
    await world.api('PATCH', team.path, { name: 'Nacht; Wache, „Köln“' });
    const { url } = await make();
    const answer = await subscribe(url);
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-type')).to.equal('text/calendar; charset=utf-8');
    expect(answer.headers.get('x-robots-tag')).to.equal('noindex');
    expect(answer.headers.get('cache-control')).to.equal('private, no-cache');
    const text = await answer.text();
    const { name, events } = readCalendarText(text);
    expect(name).to.equal('Nacht; Wache, „Köln“ on call');
    expect(events.length).to.be.within(180, 190);
    const now = events.find(({ startMs, endMs }) => startMs <= app.clock.now() && endMs > app.clock.now())!;
    const { body } = await world.api('GET', `${team.path}/oncall`);
    expect(now.summary).to.equal(`Nacht; Wache, „Köln“ on call: ${body.user.name}`);
    expect(new Date(now.startMs).toISOString()).to.equal(body.since);
    expect(text).to.equal((await world.api('GET', `${team.path}/schedule.ics`)).body);
  });

  it('has at most 6,000 shifts: where there are more, those that are not over, the next first', async () => {
    const [first, second] = [team.ann.userId, team.bob.userId];
    const rotation = { unit: 'hour', every: 1 };
    for (const [name, participants] of Object.entries({ Here: [first, second], There: [second, first] })) {
      const layers = [{ name, rotation, startDate: '2026-01-05', participants }];
      await create(world.api, `${team.path}/schedules`, { name, layers });
    }
    const { events } = readCalendarText(await (await subscribe((await make()).url)).text());
    expect(events).to.have.lengthOf(6_000);
    const nowMs = app.clock.now();
    expect(events.filter(({ startMs, endMs }) => startMs <= nowMs && nowMs < endMs)).to.have.lengthOf(3);
    expect(Math.min(...events.map(({ endMs }) => endMs))).to.be.greaterThan(nowMs);
    expect(Math.max(...events.map(({ startMs }) => startMs))).to.be.below(nowMs + 126 * 86_400_000);
  });

  it('is sent again only after a change, and shows whether it is read', async () => {
    const { url, lastRead } = await make();
    expect(lastRead).to.equal(null);
    const etag = (await subscribe(url)).headers.get('etag')!;
    app.clock.advance(90_000);
    expect((await subscribe(url, { 'if-none-match': etag })).status).to.equal(304);
    const first = (await list())[0]!.lastRead!;
    expect(Date.parse(first)).to.equal(app.clock.now() - 90_000);
    app.clock.advance(3_600_000);
    await subscribe(url);
    expect(Date.parse((await list())[0]!.lastRead!)).to.equal(app.clock.now());
    const { id } = await create(world.api, `${team.path}/schedule/overrides`, {
      userId: team.bob.userId,
      start: new Date(app.clock.now() + 3_600_000).toISOString(),
      end: new Date(app.clock.now() + 7_200_000).toISOString(),
    });
    expect(id).to.be.a('string');
    expect((await subscribe(url, { 'if-none-match': etag })).status).to.equal(200);
  });

  it('is shown once, stored as a hash, and valid for this calendar only', async () => {
    const { id, url } = await make();
    const token = url.split('/').at(-2)!;
    expect(JSON.stringify(await list())).to.not.include(token);
    const [row] = await app.sql<{ all: string }>(
      'SELECT row_to_json(link)::text AS "all" FROM on_call_calendar_link link WHERE id = $1',
      [id],
    );
    expect(row!.all).to.not.include(token).and.to.not.include(Buffer.from(token).toString('hex'));
    for (const path of [team.path, `${team.path}/schedule.ics`, '/api/v1/monitor'])
      expect((await app.withToken(token)('GET', path)).status, path).to.equal(401);
    const other = await seedRotation(await makeWorld(app));
    for (const made of [token.slice(1), `${token}x`, 'x', other.id])
      expect(await status(`${app.baseUrl}/calendar/${made}/on-call.ics`), made).to.equal(404);
    expect((await fetch(url, { method: 'POST' })).status).to.equal(405);
  });

  it('belongs to its creator: others do not see it, and only administrators of the workspace may revoke it', async () => {
    const [viewer, responder, admin] = [
      await world.member('Viewer'),
      await world.member('Responder'),
      await world.member('Admin'),
    ];
    const own = await make(viewer.api, 'Wall display');
    const another = await make(responder.api);
    expect((await list(viewer.api)).map(({ id }) => id)).to.deep.equal([own.id]);
    expect((await list(admin.api)).map(({ id }) => id)).to.have.members([own.id, another.id]);
    const end = async (link: Link, api: typeof viewer.api) => (await api('DELETE', `${links()}/${link.id}`)).status;
    expect(await end(another, viewer.api)).to.equal(404);
    expect(await status(another.url)).to.equal(200);
    expect(await end(another, admin.api)).to.equal(204);
    expect(await status(another.url)).to.equal(404);
    expect(await end(own, viewer.api)).to.equal(204);
    expect([await status(own.url), await list(admin.api)]).to.deep.equal([404, []]);
  });

  it('ends with the membership or the team, and is inactive while the member is suspended', async () => {
    const viewer = await world.member('Viewer');
    const { url } = await make(viewer.api);
    const member = `/api/v1/workspaces/${world.workspaceId}/members/${viewer.memberId}`;
    await create(world.api, member, { status: 'suspended' }, 'PATCH');
    expect(await status(url)).to.equal(404);
    await create(world.api, member, { status: 'active' }, 'PATCH');
    expect(await status(url)).to.equal(200);
    expect((await world.api('DELETE', member)).status).to.equal(204);
    expect(await status(url)).to.equal(404);

    const ofTeam = await make();
    expect(await status(ofTeam.url)).to.equal(200);
    expect((await world.api('DELETE', team.path)).status).to.equal(204);
    expect(await status(ofTeam.url)).to.equal(404);
    expect(
      await app.sql('SELECT id FROM on_call_calendar_link WHERE workspace_id = $1', [world.workspaceId]),
    ).to.deep.equal([]);
  });

  it('is limited to five per person and team, also under concurrent requests', async () => {
    const viewer = await world.member('Viewer');
    const answers = await Promise.all(Array.from({ length: 8 }, () => viewer.api('POST', links(), {})));
    expect(answers.map(({ status: code }) => code).toSorted((a, b) => a - b)).to.deep.equal([
      201, 201, 201, 201, 201, 400, 400, 400,
    ]);
    expect(answers.find(({ status: code }) => code === 400)!.body.details[0].message).to.match(/delete one first/);
    expect((await list(viewer.api)).map(({ name }) => name)).to.deep.equal(Array.from({ length: 5 }, () => 'Calendar'));
    expect((await world.api('POST', links(), {})).status, 'others have five of their own').to.equal(201);
  });

  it('is empty, not a fault, where nobody is on call', async () => {
    const { id } = await create(world.api, '/api/v1/teams', { name: 'New' });
    const { url } = await create<Link>(world.api, `/api/v1/teams/${id}/calendar-links`, {});
    expect(readCalendarText(await (await subscribe(url)).text())).to.deep.equal({ name: 'New on call', events: [] });
  });

  it('can be read at most 120 times an hour, each link for itself', async () => {
    const [first, second] = [await make(), await make()];
    for (let count = 0; count < 120; count++) expect(await status(first.url)).to.equal(200);
    const refused = await subscribe(first.url);
    expect(refused.status).to.equal(429);
    expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 3_600);
    expect(await status(second.url)).to.equal(200);
    app.clock.advance(3_600_000);
    expect(await status(first.url)).to.equal(200);
  });
});

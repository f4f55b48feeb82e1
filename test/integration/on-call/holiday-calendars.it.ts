import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { Fault } from '@watchpost/shared/fault';
import { createEgressAgent } from '@watchpost/control-plane/capabilities/channels/sending/egress-agent';
import { HolidayCalendars } from '@watchpost/control-plane/capabilities/on-call/index';
import { startTestApp, type TestApp } from '../../support/app.js';
import type { Json } from '../../support/product.js';
import { makeWorld, type World } from '../../support/seed.js';
import { seedTeam, type SeededTeam } from './world.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const calendar = (...days: string[]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...days.map((day) => `BEGIN:VEVENT\r\nUID:${day}\r\nDTSTART;VALUE=DATE:${day.replaceAll('-', '')}\r\nEND:VEVENT`),
    'END:VCALENDAR',
    '',
  ].join('\r\n');

const repeated = (rule: string) => calendar('2026-12-25').replace('END:VEVENT', `RRULE:${rule}\r\nEND:VEVENT`);

describe('holidays from a calendar', () => {
  let app: TestApp;
  let server: Server;
  let baseUrl: string;
  let world: World;
  let team: SeededTeam;
  const answers = new Map<string, (response: ServerResponse) => void>();
  let asked: string[] = [];
  before(async () => {
    server = createServer((request, response) => {
      asked.push(request.url!);
      const answer = answers.get(request.url!);
      if (answer) answer(response);
      else response.writeHead(404).end();
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    app = await startTestApp({ env: { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' } });
  });
  after(async () => {
    await app?.stop();
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
    team = await seedTeam(world);
    answers.clear();
    asked = [];
  });

  const offers = (path: string, text: string): string => {
    answers.set(path, (response) => void response.end(text));
    return `${baseUrl}${path}`;
  };
  const bodyOf = ({ ann, bob }: SeededTeam, more: object) => ({
    name: 'Covered',
    timezone: 'Europe/Berlin',
    layers: [
      {
        name: 'Days',
        rotation: { unit: 'day', handoffTime: '09:00' },
        startDate: '2026-11-16',
        participants: [ann.userId],
      },
      {
        name: 'Holidays',
        rotation: { unit: 'day', handoffTime: '00:00' },
        startDate: '2026-11-16',
        holidays: 'only',
        participants: [bob.userId],
      },
    ],
    ...more,
  });
  const make = async (more: object, by = world, of = team): Promise<Json> => {
    const { status, body } = await by.api('POST', `${of.path}/schedules`, bodyOf(of, more));
    expect(status, JSON.stringify(body)).to.equal(201);
    return body;
  };
  const read = async (id: string, by = world, of = team): Promise<Json> =>
    (await by.api('GET', `${of.path}/schedules/${id}`)).body;
  const refresh = () => app.plane.jobs.find(({ name }) => name === 'refresh_holidays')!.run();
  const inDays = (days: number) => new Date(app.clock.now() + days * DAY_MS).toISOString().slice(0, 10);
  const who = async (id: string, at: string) =>
    (await world.api('GET', `${team.path}/schedules/${id}/oncall?at=${at}`)).body.user?.userId;

  it('are read when they are saved, once for the preview and the change, and every day from then on', async () => {
    const [first, second] = [inDays(3), inDays(5)];
    const url = offers('/feast.ics', calendar(first));
    const range = `startDate=${first}T00:00:00Z&endDate=${first}T12:00:00Z`;
    const preview = await world.api(
      'POST',
      `${team.path}/schedules/preview?${range}`,
      bodyOf(team, { holidayCalendarUrl: url }),
    );
    expect(preview.body.map(({ user }: Json) => user.userId)).to.include(team.bob.userId);
    const made = await make({ holidayCalendarUrl: url });
    expect(asked).to.have.length(1);
    const fetchedAt = new Date(app.clock.now()).toISOString();
    expect(made).to.deep.include({
      holidays: [],
      holidayCalendarUrl: url,
      holidayCalendar: { fetchedAt, fault: null, days: [first] },
    });
    expect(await who(made.id, `${first}T12:00:00Z`)).to.equal(team.bob.userId);
    expect(await who(made.id, `${second}T12:00:00Z`)).to.equal(team.ann.userId);

    offers('/feast.ics', calendar(first, second));
    await refresh();
    expect(asked, 'not due').to.have.length(1);
    const etag = async (path: string) => (await world.api('GET', `${team.path}/${path}`)).headers.get('etag')!;
    const [opened, simple] = [await etag(`schedules/${made.id}`), await etag('schedule')];
    app.clock.advance(DAY_MS);
    await refresh();
    expect(await etag('schedule')).to.equal(simple);
    const saved = await world.api(
      'PATCH',
      `${team.path}/schedules/${made.id}`,
      { name: 'Covered well' },
      { 'if-match': opened },
    );
    expect(saved.status, 'an editor that was open when the calendar was read').to.equal(200);
    expect((await read(made.id)).holidayCalendar.days).to.deep.equal([first, second]);
    expect(await who(made.id, `${second}T12:00:00Z`)).to.equal(team.bob.userId);

    answers.delete('/feast.ics');
    app.clock.advance(DAY_MS);
    await refresh();
    const { holidayCalendar } = await read(made.id);
    expect(holidayCalendar).to.deep.equal({
      fetchedAt: new Date(app.clock.now() - DAY_MS).toISOString(),
      fault: 'could not be read: the server answered 404',
      days: [first, second],
    });
    offers('/feast.ics', calendar(first));
    app.clock.advance(60 * MINUTE_MS);
    await refresh();
    expect((await read(made.id)).holidayCalendar).to.deep.include({ fault: null, days: [first] });
  });

  it('never move a shift that has begun', async () => {
    const url = offers('/feast.ics', calendar());
    const made = await make({ holidayCalendarUrl: url });
    app.clock.advance(DAY_MS);
    const today = inDays(0);
    offers('/feast.ics', calendar(today));
    const path = `${team.path}/schedules/${made.id}/oncall`;
    const before = (await world.api('GET', path)).body;
    await refresh();
    expect((await read(made.id)).holidayCalendar.days).to.deep.equal([today]);
    expect((await world.api('GET', path)).body.user).to.deep.equal(before.user);
    expect(await who(made.id, new Date(Date.parse(before.until) - 1).toISOString())).to.equal(before.user.userId);
  });

  it('are in place of own ones, and give way to them', async () => {
    const url = offers('/own.ics', calendar('2026-12-25'));
    const both = await world.api(
      'POST',
      `${team.path}/schedules`,
      bodyOf(team, { holidayCalendarUrl: url, holidays: ['2026-12-24'], timezone: 'Europe/Berlin' }),
    );
    expect([both.status, both.body.details]).to.deep.equal([
      400,
      [{ path: 'holidayCalendarUrl', message: 'must not be there beside `holidays`' }],
    ]);
    const made = await make({ holidays: ['2026-12-24'] });
    const change = async (body: object) => (await world.api('PATCH', `${team.path}/schedules/${made.id}`, body)).body;
    expect(await change({ holidayCalendarUrl: url })).to.deep.include({ holidays: [], holidayCalendarUrl: url });
    expect(await change({ name: 'Other' })).to.deep.include({ holidayCalendarUrl: url });
    expect(await change({ holidays: ['2026-12-26'] })).to.deep.include({
      holidays: ['2026-12-26'],
      holidayCalendarUrl: null,
      holidayCalendar: null,
    });
    asked = [];
    app.clock.advance(2 * DAY_MS);
    await refresh();
    expect(asked).not.to.include('/own.ics');
  });

  it('are refused where the address leads to no calendar', async () => {
    answers.set('/large.ics', (response) => void response.end(' '.repeat(1024 * 1024 + 1)));
    // It has 64 MiB where it is taken apart.
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    answers.set('/bomb.ics', (response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    answers.set('/away.ics', (response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end());
    const faults: [string, RegExp][] = [
      [offers('/page', '<html>'), /^is no calendar/],
      [`${baseUrl}/nothing`, /the server answered 404$/],
      [`${baseUrl}/large.ics`, /more than 1024 KiB$/],
      [`${baseUrl}/away.ics`, /egress policy$/],
      [`${baseUrl}/bomb.ics`, /^is no calendar/],
      [offers('/many.ics', calendar(...Array.from({ length: 10_000 }, () => '2026-12-25'))), /more than 5000 events$/],
      [offers('/never.ics', repeated('FREQ=DAILY;INTERVAL=-1')), /rule that cannot be read: FREQ=DAILY;INTERVAL=-1$/],
      [offers('/hours.ics', repeated('FREQ=DAILY;BYMINUTE=1,2,3')), /more than 400 holidays/],
      ['http://127.0.0.1:1/', /could not be reached$/],
      ['https://10.0.0.1/', /egress policy/],
      ['http://example.com/', /must begin with https/],
      ['ftp://example.com/', /https/],
    ];
    for (const [url, message] of faults) {
      const { status, body } = await world.api(
        'POST',
        `${team.path}/schedules`,
        bodyOf(team, {
          holidayCalendarUrl: url,
          layers: [{ name: 'A', rotation: { unit: 'day' }, participants: [world.workspaceId] }],
        }),
      );
      expect([status, body.details?.map(({ path }: Json) => path)], url).to.deep.equal([
        400,
        ['holidayCalendarUrl', 'layers.0.participants.0'],
      ]);
      expect(body.details[0].message, url).to.match(message);
    }
    const { body: kept } = await world.api('GET', `${team.path}/schedules`);
    expect(kept, 'nothing of what was refused').to.deep.equal([]);
    const redirected = offers('/right.ics', calendar('2026-12-25'));
    answers.set('/moved.ics', (response) => void response.writeHead(301, { location: redirected }).end());
    const made = await make({ holidayCalendarUrl: `${baseUrl}/moved.ics` });
    expect(made.holidayCalendar.days).to.deep.equal(['2026-12-25']);
  });

  it('of a document are read within a minute, unless the address is refused', async () => {
    const url = offers('/document.ics', calendar('2026-12-25'));
    const email = (
      await app.sql<{ email: string }>('SELECT email FROM user_account WHERE id = $1', [team.ann.userId])
    )[0]!.email;
    const { layers } = bodyOf(team, {});
    const documentOf = (schedule: object) => ({
      apiVersion: 'watchpost/v1',
      project: 'shop',
      teams: {
        shop: {
          name: 'Shop',
          members: [{ email }],
          schedules: [{ name: 'A', layers: [{ ...layers[0], participants: [email] }], ...schedule }],
        },
      },
    });
    const send = (verb: string, document: object) => world.api('POST', `/api/v1/config/${verb}`, { document });
    for (const [schedule, message] of [
      [{ holidayCalendarUrl: 'https://10.0.0.1/' }, /egress policy/],
      [{ holidayCalendarUrl: url, holidays: ['2026-12-24'] }, /beside/],
    ] as const) {
      const { status, body } = await send('plan', documentOf(schedule));
      expect([status, body.details?.length, body.details?.[0].path]).to.deep.equal([
        400,
        1,
        'teams.shop.schedules.0.holidayCalendarUrl',
      ]);
      expect(body.details[0].message).to.match(message);
    }
    const applied = await send('apply', documentOf({ holidayCalendarUrl: url }));
    expect(applied.status, JSON.stringify(applied.body)).to.equal(200);
    expect(asked).not.to.include('/document.ics');
    await refresh();
    const { id } = (await world.api('GET', '/api/v1/teams')).body.find(({ name }: Json) => name === 'Shop');
    const [stored] = (await world.api('GET', `/api/v1/teams/${id}/schedules`)).body;
    expect(stored.holidayCalendar).to.deep.include({ fault: null, days: ['2026-12-25'] });
    expect((await send('plan', documentOf({ holidayCalendarUrl: url }))).body.summary).to.deep.include({
      unchanged: 1,
    });
    const exported = (await world.api('GET', '/api/v1/config/export')).body.teams.shop.schedules[0];
    expect(exported).to.deep.include({ holidays: [], holidayCalendarUrl: url });
  });

  it('of one owner never keep those of another from being read', async () => {
    const other = await makeWorld(app);
    const theirs = await seedTeam(other);
    const url = offers('/fair.ics', calendar('2026-12-25'));
    for (let made = 0; made < 4; made++) await make({ holidayCalendarUrl: url });
    const single = await make({ holidayCalendarUrl: url }, other, theirs);
    app.clock.advance(DAY_MS);
    // The server answers the many only when the one of the other owner was read.
    const held: ServerResponse[] = [];
    let isFirst = true;
    let free: (() => void) | undefined;
    const freed = new Promise<void>((resolve) => (free = resolve));
    answers.set('/fair.ics', (response) => {
      if (isFirst) {
        isFirst = false;
        held.push(response);
      } else {
        response.end(calendar('2026-12-26'));
        free!();
      }
    });
    const running = refresh();
    await freed;
    for (const response of held) response.end(calendar('2026-12-26'));
    await running;
    expect((await read(single.id, other, theirs)).holidayCalendar.days).to.deep.equal(['2026-12-26']);
    const days = (await world.api('GET', `${team.path}/schedules`)).body
      .filter((one: Json) => one.holidayCalendarUrl)
      .map((one: Json) => one.holidayCalendar.days[0]);
    expect(days.toSorted(), 'three of an owner in a run').to.deep.equal([
      '2026-12-25',
      ...Array.from({ length: 3 }, () => '2026-12-26'),
    ]);
  });

  it('of one owner that never answer are refused from the 33rd on, while those of others are read', async () => {
    const dispatcher = createEgressAgent(createEgressPolicy({ allowCidrs: ['127.0.0.0/8'] }));
    const calendars = new HolidayCalendars({ clock: app.clock, dispatcher, urlFaults: () => [] });
    const held = Array.from({ length: 32 }, (_, place) => {
      answers.set(`/held-${place}`, () => undefined);
      return calendars.read(`${baseUrl}/held-${place}`, 'busy');
    });
    const url = offers('/other.ics', calendar('2026-12-25'));
    const refused = await calendars.read(url, 'busy').catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Fault).and.to.include({ code: 'unavailable' });
    expect(await calendars.read(url, 'other')).to.deep.equal({ days: ['2026-12-25'] });
    await dispatcher.destroy();
    for (const { fault } of await Promise.all(held)) expect(fault).to.match(/^could not be read/);
    const again = await calendars.read(`${baseUrl}/held-0?again`, 'busy');
    expect(again.fault, 'each gives its place back').to.match(/^could not be read/);
  });
});

import { expect } from 'chai';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@watchpost/shared/time';
import { ingestBatch } from '@watchpost/control-plane/capabilities/results/ingest/ingest-batch';
import type { Json } from '../../support/product.js';
import { create, makeWorld, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';
import { agentIn, DOWN, NOON, resultOf, resultsDeps } from '../results/seed.js';

const iso = (ms: number) => new Date(ms).toISOString();

describe('Maintenance on a status page', () => {
  const app = appForSuite();
  let world: World;
  let ids: string[];
  let pageId: string;

  beforeEach(async () => {
    app.clock.set(NOON);
    world = await makeWorld(app, 'Pro');
    ids = [];
    for (const name of ['Shop', 'Blog'])
      ids.push((await seedMonitor(world, { name, checkInterval: 'PT1M', tags: [name.toLowerCase()] })).id);
    ({ id: pageId } = await create(world.api, '/api/v1/status-page', {
      name: 'Acme',
      slug: `acme-${world.workspaceId}`,
      isPublished: true,
      groups: [{ name: 'Sites', systems: ids.map((monitorId) => ({ name: monitorId, monitorId })) }],
    }));
    const deps = { ...resultsDeps(app.db), clock: app.clock };
    const keys = await app.sql<{ key: number }>('SELECT key FROM monitor WHERE workspace_id = $1 ORDER BY key', [
      world.workspaceId,
    ]);
    app.clock.set(NOON + 10 * MINUTE_MS);
    for (const { key } of keys)
      await ingestBatch(
        deps,
        agentIn('northeurope'),
        Array.from({ length: 10 }, (_, minute) => resultOf(key, NOON + (minute + 1) * MINUTE_MS, DOWN)),
      );
  });

  const plan = (body: object): Promise<Json> =>
    create(world.api, '/api/v1/maintenance-windows', {
      name: 'Deploy',
      description: 'New shelves.',
      startsAt: 'now',
      timezone: 'UTC',
      duration: 'PT1H',
      scope: { tags: ['shop'] },
      ...body,
    });
  const page = async (): Promise<Json> => {
    app.clock.advance(3_001);
    return (await app.anonymous('GET', `/api/v1/public/status-page/acme-${world.workspaceId}`)).body;
  };
  const systemsOf = ({ groups }: Json): Json[] => groups[0].systems;

  it('is the status of what a window covers that names the page, and hides nothing else', async () => {
    const startMs = app.clock.now();
    await plan({ statusPageIds: [pageId] });
    const shown = await page();
    expect(systemsOf(shown).map(({ status }) => status)).to.deep.equal(['maintenance', 'majorOutage']);
    expect(shown.overallStatus).to.equal('partialOutage');
    expect(shown.upcomingMaintenance).to.deep.equal([
      {
        name: 'Deploy',
        description: 'New shelves.',
        start: iso(startMs),
        end: iso(startMs + HOUR_MS),
        systemIds: [systemsOf(shown)[0]!.id],
      },
    ]);
    expect(systemsOf(shown)[0]!.timeline.at(-1)).to.deep.include({ start: iso(startMs), status: 'maintenance' });
    const html = await fetch(`${app.baseUrl}/status/acme-${world.workspaceId}`);
    expect(await html.text()).to.include('New shelves.');
  });

  describe('in the calendar of the page', () => {
    /** The events as their properties, after the page was built again. */
    async function events(): Promise<Record<string, string>[]> {
      app.clock.advance(3_001);
      const answer = await fetch(`${app.baseUrl}/status/acme-${world.workspaceId}/maintenance.ics`);
      expect(answer.headers.get('content-type')).to.equal('text/calendar; charset=utf-8');
      const text = await answer.text();
      expect(text.split('\r\n').filter((line) => Buffer.byteLength(line) > 75)).to.deep.equal([]);
      const found = text.replaceAll('\r\n ', '').matchAll(/BEGIN:VEVENT\r\n(.*?)\r\nEND:VEVENT/gs);
      return [...found].map(([, lines]) =>
        Object.fromEntries(
          lines!.split('\r\n').map((line) => [line.split(':', 1)[0]!, line.slice(line.indexOf(':') + 1)]),
        ),
      );
    }
    const startsAt = iso(NOON + DAY_MS).slice(0, 16);
    const change = (id: string, body: object) => create(world.api, `/api/v1/maintenance-windows/${id}`, body, 'PUT');
    const shown = async () => (await events()).map((event) => `${event['DTSTART']} ${event['STATUS']}`);

    it('has one event an occurrence, in UTC, with what is affected, and is the same text until something changes', async () => {
      const { id } = await plan({
        name: 'Deploy; a, b',
        startsAt: '2027-03-28T02:30',
        timezone: 'Europe/Berlin',
        recurrence: 'FREQ=DAILY;COUNT=2',
        statusPageIds: [pageId],
      });
      await plan({ name: 'Not here' });
      const [first, ...others] = await events();
      expect(first).to.deep.include({
        UID: `${id}-${Date.parse('2027-03-28T01:30Z')}@watchpost`,
        DTSTART: '20270328T013000Z',
        DTEND: '20270328T023000Z',
        SUMMARY: String.raw`Deploy\; a\, b`,
        DESCRIPTION: String.raw`New shelves.\n\nAffected: ${ids[0]}`,
        URL: `${app.baseUrl}/status/acme-${world.workspaceId}`,
        SEQUENCE: '0',
        STATUS: 'CONFIRMED',
      });
      expect(others, 'beyond 60 days only the next one').to.deep.equal([]);
      const get = (headers = {}) =>
        fetch(`${app.baseUrl}/status/acme-${world.workspaceId}/maintenance.ics`, { headers });
      const etag = (await get()).headers.get('etag')!;
      app.clock.advance(MINUTE_MS);
      expect((await get({ 'if-none-match': etag })).status).to.equal(304);
      const html = await (await fetch(`${app.baseUrl}/status/acme-${world.workspaceId}`)).text();
      expect(html).to.include(`<a href="/status/acme-${world.workspaceId}/maintenance.ics">`);
    });

    it('keeps what was moved or skipped as cancelled, and what comes back as it was, each with a later sequence', async () => {
      const { id } = await plan({ startsAt, recurrence: 'FREQ=WEEKLY;COUNT=2', statusPageIds: [pageId] });
      expect(await shown()).to.deep.equal(['20261122T120000Z CONFIRMED', '20261129T120000Z CONFIRMED']);
      app.clock.advance(MINUTE_MS);
      await create(world.api, `/api/v1/maintenance-windows/${id}/skip-next`);
      const skipped = (await events())[0]!;
      expect(skipped).to.include({ STATUS: 'CANCELLED', DTSTART: '20261122T120000Z' });
      expect(Number(skipped['SEQUENCE'])).to.be.greaterThan(0);
      app.clock.advance(MINUTE_MS);
      await change(id, { duration: 'PT2H' });
      const back = (await events())[0]!;
      expect(back).to.include({ STATUS: 'CONFIRMED', UID: skipped['UID'], DTEND: '20261122T140000Z' });
      expect(Number(back['SEQUENCE'])).to.be.greaterThan(Number(skipped['SEQUENCE']));
      await change(id, { startsAt: iso(NOON + DAY_MS + HOUR_MS).slice(0, 16) });
      expect(await shown()).to.deep.equal([
        '20261122T120000Z CANCELLED',
        '20261122T130000Z CONFIRMED',
        '20261129T120000Z CANCELLED',
        '20261129T130000Z CONFIRMED',
      ]);
      expect((await world.api('DELETE', `/api/v1/maintenance-windows/${id}`)).status).to.equal(204);
      expect(new Set((await events()).map((event) => event['STATUS']))).to.deep.equal(new Set(['CANCELLED']));
    });

    it('has another end where it was ended early, and forgets what ended 30 days ago', async () => {
      const { id } = await plan({ startsAt: 'now', statusPageIds: [pageId] });
      const before = (await events())[0]!;
      await create(world.api, `/api/v1/maintenance-windows/${id}/end`);
      const [after] = await events();
      expect(Date.parse(after!['LAST-MODIFIED']!.replace(/(....)(..)(..T..)(..)/, '$1-$2-$3:$4:'))).to.be.greaterThan(
        NOON,
      );
      expect(after!['DTEND']! < before['DTEND']!).to.equal(true);
      expect(Number(after!['SEQUENCE'])).to.be.greaterThan(Number(before['SEQUENCE']));
      const gone = await plan({ startsAt, statusPageIds: [pageId] });
      expect((await world.api('DELETE', `/api/v1/maintenance-windows/${gone.id}`)).status).to.equal(204);
      app.clock.advance(32 * DAY_MS);
      expect(await events()).to.deep.equal([]);
      await app.plane.jobs.find(({ name }) => name === 'extend_maintenance_windows')!.run();
      expect(await app.sql('SELECT FROM maintenance_cancellation WHERE window_id = $1', [gone.id])).to.deep.equal([]);
    });

    it('has a bounded number of cancelled events, however often a window moves', async () => {
      const { id } = await plan({ startsAt, recurrence: 'FREQ=DAILY', statusPageIds: [pageId] });
      for (let minute = 1; minute <= 4; minute++)
        await change(id, { startsAt: iso(NOON + DAY_MS + minute * MINUTE_MS).slice(0, 16) });
      const rows = await app.sql('SELECT FROM maintenance_cancellation WHERE window_id = $1', [id]);
      expect(rows).to.have.length(130);
      const all = await events();
      expect(all.filter((event) => event['STATUS'] === 'CONFIRMED').length).to.be.at.least(60);
      expect(all.length).to.be.at.most(400);
    });
  });

  it('of a window that does not name the page is neither announced nor the status', async () => {
    await plan({});
    const shown = await page();
    expect(shown.upcomingMaintenance).to.deep.equal([]);
    expect(systemsOf(shown)[0]!.status).to.equal('majorOutage');
  });

  it('is announced 7 days before, and leaves the uptime of the page as it leaves that of the monitor', async () => {
    const startsAt = (ms: number) => iso(NOON + ms).slice(0, 16);
    await plan({ statusPageIds: [pageId], startsAt: startsAt(6 * DAY_MS) });
    await plan({ statusPageIds: [pageId], startsAt: startsAt(8 * DAY_MS) });
    expect((await page()).upcomingMaintenance).to.have.length(1);
    const before: Json = (await page()).timelines[0];
    expect(before.uptimePercentage).to.equal(0);
    await plan({ scope: { all: true }, startsAt: startsAt(0), duration: 'PT5M' });
    app.clock.advance(4 * MINUTE_MS);
    const after: Json = await page();
    expect(systemsOf(after)[0]!.timeline.map(({ status }: Json) => status)).to.include('maintenance');
  });

  it('is a day of the page where it lasted all day, and unknown where nobody checked afterwards', async () => {
    await plan({ scope: { all: true }, startsAt: 'now', duration: 'P1DT18H' });
    app.clock.advance(3 * DAY_MS);
    const { days } = systemsOf(await page())[0]!;
    expect(days.states.slice(-4)).to.equal('umnn');
  });
});

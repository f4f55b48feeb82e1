import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import {
  eventIdOf,
  parseEventId,
  type EventPosition,
} from '@watchpost/control-plane/capabilities/events/event-position';
import { purgeEvents } from '@watchpost/control-plane/capabilities/events/index';
import { readServerState } from '@watchpost/control-plane/platform/db/read-server-state';
import { startTestApp, type TestApp } from '../../support/app.js';
import { eventually, PATIENCE_MS } from '../../support/eventually.js';
import { create, makeWorld, seedIncident, seedMonitor, type World } from '../../support/seed.js';
import { openEvents, type EventClient, type ReceivedEvent } from './event-client.js';
import { startSecondProcess, type SecondProcess } from './second-process.js';

describe('the event stream of a workspace', () => {
  let app: TestApp;
  let second: SecondProcess;
  let world: World;
  const clients: EventClient[] = [];

  before(async () => {
    app = await startTestApp();
    second = await startSecondProcess(app);
  });
  after(async () => {
    await second?.stop();
    await app?.stop();
  });
  beforeEach(async () => {
    world = await makeWorld(app);
  });
  afterEach(async () => {
    for (const client of clients.splice(0)) client.cut();
    await eventually(
      'all streams are released',
      async () => {
        const count = await app.value<number>('SELECT count(*) AS count FROM event_stream_lease');
        return count === 0 || undefined;
      },
      PATIENCE_MS,
      10,
    );
  });

  async function open(
    options: { of?: World; baseUrl?: string; lastId?: string; sub?: string } = {},
  ): Promise<EventClient> {
    const { of = world, baseUrl = app.baseUrl, sub = of.owner.sub, lastId } = options;
    const client = await openEvents(baseUrl, {
      token: await app.token(sub),
      workspaceId: of.workspaceId,
      ...(lastId === undefined ? {} : { lastId }),
    });
    clients.push(client);
    return client;
  }
  const touch = (id: string) => app.sql('UPDATE monitor SET last_modified = now() WHERE id = $1', [id]);

  it('has the headers of a stream that no proxy keeps or holds back', async () => {
    const { status, headers } = await open();
    expect(status).to.equal(200);
    expect(headers).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
    });
    expect(headers).not.to.have.any.keys('etag', 'content-encoding', 'content-length');
  });

  it('has an event for each change of a monitor, at every process', async () => {
    const here = await open();
    const there = await open({ baseUrl: second.baseUrl });
    const { id } = await seedMonitor(world);
    for (const client of [here, there]) {
      const { event, data } = await client.received('the event', ({ data }) => data.id === id);
      expect(event).to.equal('monitor');
      expect(data).to.have.all.keys('id', 'version');
    }
    const { version } = here.of(id).at(-1)!.data;
    await world.api('PUT', `/api/v1/monitor/${id}`, { name: 'Renamed' });
    await there.received('the change', ({ data }) => data.id === id && data.version! > version!);
  });

  it('has what is changed between its admission and its first reading', async () => {
    const { userId } = world.owner;
    const { id } = await seedMonitor(world);
    const ownerId = await app.value<string>('SELECT owner_id AS "ownerId" FROM workspace WHERE id = $1', [
      world.workspaceId,
    ]);
    const holder = { principalId: userId, userId, workspaceId: world.workspaceId, ownerId };
    const stream = await app.plane.events.admit(holder, null);
    await touch(id);
    let text = '';
    stream.open({ write: (more) => void (text += more), end: () => {} });
    try {
      await eventually('the event', () => text.includes(`"${id}"`) || undefined, PATIENCE_MS, 5);
      expect(text).to.match(/^retry: \d+\n\nid: /);
    } finally {
      stream.closed('client');
    }
  });

  it('has the event only when the change is committed, and none for a change that is rolled back', async () => {
    const { id } = await seedMonitor(world);
    const { id: other } = await seedMonitor(world);
    const client = await open();
    await app.db.transaction(async (tx) => {
      await tx.query('UPDATE monitor SET last_modified = now() WHERE id = $1', [id]);
      await touch(other);
      await client.received('the event of the other', ({ data }) => data.id === other);
      expect(client.of(id)).to.have.length(0);
    });
    await client.received('the event after the commit', ({ data }) => data.id === id);
    expect(client.of(id)).to.have.length(1);

    const rolledBack = app.db.transaction(async (tx) => {
      await tx.query('UPDATE monitor SET last_modified = now() WHERE id = $1', [id]);
      throw new Error('undone');
    });
    await rolledBack.catch(() => {});
    await touch(other);
    await eventually('a later event', () => client.of(other).length >= 2 || undefined, PATIENCE_MS, 5);
    expect(client.of(id)).to.have.length(1);
  });

  it('has no event of another workspace', async () => {
    const foreign = await makeWorld(app);
    const { id } = await seedMonitor(foreign);
    const [client, theirs] = [await open(), await open({ of: foreign })];
    await touch(id);
    await theirs.received('their event', ({ data }) => data.id === id);
    const { id: own } = await seedMonitor(world);
    await client.received('the own event', ({ data }) => data.id === own);
    expect(client.of(id)).to.have.length(0);
  });

  it('has events of incidents, deliveries and the fleet', async () => {
    const { id: monitorId } = await seedMonitor(world);
    const client = await open();
    const incidentId = await seedIncident(world, monitorId);
    await client.received('the incident', ({ event, data }) => event === 'incident' && data.id === incidentId);
    const before = client.of(incidentId).at(-1)!.data.version!;
    await world.api('POST', `/api/v1/incident/${incidentId}/notes`, { note: 'Looking at it.' });
    await client.received('its note', ({ data }) => data.id === incidentId && data.version! > before);

    const [eventId, deliveryId] = [newId(Date.now()), newId(Date.now())];
    await app.sql(
      `INSERT INTO alert_event (id, workspace_id, type, at, subject, fanned_out) VALUES ($1, $2, 'test', now(), '{}', true)`,
      [eventId, world.workspaceId],
    );
    await app.sql(
      `INSERT INTO delivery (id, workspace_id, event_id, channel, address, lane, purpose, state, created)
       VALUES ($1, $2, $3, 'email', 'a@example.test', 'email:a', 'test', 'waiting', now())`,
      [deliveryId, world.workspaceId, eventId],
    );
    await app.sql(`UPDATE delivery SET state = 'failed', finished_at = now() WHERE id = $1`, [deliveryId]);
    await client.received('the delivery', ({ event, data }) => event === 'delivery' && data.id === deliveryId);

    await app.sql(
      `INSERT INTO operator_notice (id, created, kind, region, message, detail) VALUES ($1, now(), 'region_suspect', 'westus3', 'Suspect.', '{}')`,
      [newId(Date.now())],
    );
    await client.received('the region', ({ event, data }) => event === 'fleet' && data.id === 'westus3');
  });

  it('has events of members, invitations and API keys, and none of their use', async () => {
    const client = await open();
    const base = `/api/v1/workspaces/${world.workspaceId}`;
    const has = (what: string, kind: string, id: string, after = 0) =>
      client.received(what, ({ event, data }) => event === kind && data.id === id && data.version! > after);
    const invitation = await create<{ id: string }>(world.api, `${base}/invitations`, {
      email: 'guest@example.test',
      role: 'Viewer',
    });
    const { data } = await has('the invitation', 'invitation', invitation.id);
    await world.api('DELETE', `${base}/invitations/${invitation.id}`);
    await has('its end', 'invitation', invitation.id, data.version);
    const member = await world.member('Viewer');
    const { data: joined } = await has('the member', 'member', member.memberId);
    await app.sql('UPDATE workspace_member SET last_used = now() WHERE user_id = $1', [member.userId]);
    await world.api('PATCH', `${base}/members/${member.memberId}`, { role: 'Editor' });
    await has('the role', 'member', member.memberId, joined.version);
    expect(client.of(member.memberId).length, 'events of the member').to.equal(2);
    const key = await create<{ id: string }>(world.api, '/api/v1/api-keys', { name: 'CI', scopes: ['monitor.read'] });
    const { data: made } = await has('the key', 'apiKey', key.id);
    await world.api('DELETE', `/api/v1/api-keys/${key.id}`);
    await has('its end', 'apiKey', key.id, made.version);
  });

  it('resumes at another process, with each event that was missed once', async () => {
    const [one, two, three] = await Promise.all([seedMonitor(world), seedMonitor(world), seedMonitor(world)]);
    const client = await open();
    await touch(one.id);
    await client.received('the first', ({ data }) => data.id === one.id);
    client.cut();
    await touch(two.id);
    await touch(two.id);
    const again = await open({ baseUrl: second.baseUrl, lastId: client.lastId });
    await again.received('what was missed', ({ data }) => data.id === two.id);
    await touch(three.id);
    await again.received('what is new', ({ data }) => data.id === three.id);
    expect(again.events.map(({ data }) => data.id)).to.deep.equal([two.id, three.id]);
  });

  it('resumes with the change of a transaction that was running when the client saw its last event', async () => {
    const [slow, quick] = await Promise.all([seedMonitor(world), seedMonitor(world)]);
    const client = await open();
    await app.db.transaction(async (tx) => {
      await tx.query('UPDATE monitor SET last_modified = now() WHERE id = $1', [slow.id]);
      await touch(quick.id);
      await client.received('the quick one', ({ data }) => data.id === quick.id);
      client.cut();
    });
    const again = await open({ baseUrl: second.baseUrl, lastId: client.lastId });
    await again.received('the slow one', ({ data }) => data.id === slow.id);
    expect(again.of(quick.id)).to.have.length(0);
  });

  it('resumes when the process was started again meanwhile', async () => {
    const { id } = await seedMonitor(world);
    const process = await startSecondProcess(app);
    const client = await open({ baseUrl: process.baseUrl });
    await process.stop();
    await client.ended(30_000);
    await touch(id);
    const restarted = await startSecondProcess(app);
    try {
      const again = await open({ baseUrl: restarted.baseUrl, lastId: client.lastId });
      await again.received('what was missed', ({ data }) => data.id === id);
      again.cut();
    } finally {
      await restarted.stop();
    }
  });

  it('is reset where the id is older than five minutes, from the future, of another history of the database, or no id', async () => {
    const { id } = await seedMonitor(world);
    const { lastId } = await open();
    const position = parseEventId(lastId)!;
    const { atMs } = position;
    const [xmin] = position.snapshot.split(':').map(Number) as [number];
    expect(position.history, 'the history of the database').to.match(/^[\w-]{12}$/);
    const idWith = (other: Partial<EventPosition>) => eventIdOf({ ...position, ...other });
    const resets = () => second.metric('watchpost_event_resets_total', { reason: 'expired' });
    const before = await resets();
    const unknown = [
      idWith({ atMs: atMs - 5 * 60_000 - 2_000 }),
      idWith({ snapshot: `${xmin + 1_000_000}:${xmin + 1_000_000}:` }),
      idWith({ atMs: atMs + 60_000 }),
      idWith({ history: 'AnotherOne12' }),
      idWith({ history: '' }),
      'nonsense',
    ];
    for (const text of unknown) {
      const client = await open({ baseUrl: second.baseUrl, lastId: text });
      await client.received(`the reset of ${text}`, ({ event }) => event === 'reset');
      await touch(id);
      await client.received('the events after it', ({ data }) => data.id === id);
      expect(client.events[0]!.event).to.equal('reset');
    }
    expect((await resets()) - before).to.equal(unknown.length);

    const recent = await open({ lastId: idWith({ atMs: atMs - 4 * 60_000 }) });
    await recent.received('the events', ({ data }) => data.id === id);
    expect(recent.events.filter(({ event }) => event === 'reset')).to.have.length(0);
  });

  it('is reset while it is open, when the database continues on another history', async () => {
    const { id } = await seedMonitor(world);
    const client = await open();
    const former = client.lastId;
    const { hosts } = app.db;
    const state = (await readServerState(app.databaseUrl, 5_000))!;
    const { cluster, timeline } = state.history!;
    hosts.admit(hosts.hosts[0]!, { isWritable: true, history: { cluster, timeline: timeline + 1 } });
    try {
      await client.received('the reset', ({ event }) => event === 'reset');
      await touch(id);
      await client.received('the events after it', ({ data }) => data.id === id);
      expect(parseEventId(client.lastId)!.history).not.to.equal(parseEventId(former)!.history);
    } finally {
      hosts.admit(hosts.hosts[0]!, state);
    }
  });

  it('ends within seconds when the member is removed', async () => {
    const { sub, memberId } = await world.member('Viewer');
    const client = await open({ sub });
    const kept = await open();
    await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}/members/${memberId}`);
    await client.ended(30_000);
    expect(kept.isOver).to.equal(false);
  });

  it('is refused to a user who holds ten, at whichever process, until one of them ends', async () => {
    const { sub } = await app.user();
    const held: EventClient[] = [];
    for (let index = 0; index < 10; index++) {
      const baseUrl = index % 2 === 0 ? app.baseUrl : second.baseUrl;
      held.push(await openEvents(baseUrl, { token: await app.token(sub) }));
    }
    clients.push(...held);
    for (const baseUrl of [app.baseUrl, second.baseUrl]) {
      const refused = await openEvents(baseUrl, { token: await app.token(sub) });
      expect(refused.status).to.equal(429);
      expect(Number(refused.headers['retry-after'])).to.be.within(1, 60);
    }
    expect((await open()).status, 'another user').to.equal(200);
    held[0]!.cut();
    const next = await eventually('a place is free', async () => {
      const client = await openEvents(second.baseUrl, { token: await app.token(sub) });
      return client.status === 200 ? client : undefined;
    });
    clients.push(next);
    // What a killed process held lapses.
    await app.sql(`UPDATE event_stream_lease SET until = now() - interval '1 s'`);
    const after = await openEvents(app.baseUrl, { token: await app.token(sub) });
    clients.push(after);
    expect(after.status).to.equal(200);
  });

  it('is refused to a user who holds fifty with all API keys together, until one of them ends', async () => {
    const { sub, api } = await app.user();
    const token = await app.token(sub);
    const names = Array.from({ length: 6 }, (_, index) => `Key ${index}`);
    const keys = await Promise.all(
      names.map((name) => create<{ key: string }>(api, '/api/v1/api-keys', { name, scopes: ['monitor.read'] })),
    );
    const baseUrls = [app.baseUrl, second.baseUrl];
    const openAs = async (credential: string, baseUrl = app.baseUrl) => {
      const client = await openEvents(baseUrl, { token: credential });
      clients.push(client);
      return client;
    };
    const held: EventClient[] = [];
    for (const { key } of keys.slice(0, 5))
      for (let index = 0; index < 10; index++) held.push(await openAs(key, baseUrls[index % 2]));
    expect(held.map(({ status }) => status)).to.deep.equal(Array<number>(50).fill(200));
    for (const credential of [keys[5]!.key, token])
      for (const baseUrl of baseUrls) expect((await openAs(credential, baseUrl)).status).to.equal(429);
    expect((await open()).status, 'another user').to.equal(200);
    held[0]!.cut();
    const isOpened = async () => (await openAs(token)).status === 200 || undefined;
    await eventually('a place is free', isOpened);
    expect((await openAs(keys[5]!.key)).status).to.equal(429);
  });

  it('stays quick while another workspace changes without pause, whose clients are reset at most every few seconds', async () => {
    const storm = await makeWorld(app);
    const { id: stormed } = await seedMonitor(storm);
    const { id } = await seedMonitor(world);
    const [client, theirs] = [
      await open({ baseUrl: second.baseUrl }),
      await open({ of: storm, baseUrl: second.baseUrl }),
    ];
    const calm = new AbortController();
    const noise = (async () => {
      while (!calm.signal.aborted) {
        await app.sql(
          `SELECT workspace_event_add($1, 'monitor', gen_random_uuid()::text) FROM generate_series(1, 2000)`,
          [storm.workspaceId],
        );
      }
    })();
    const resets = () => theirs.events.filter(({ event }) => event === 'reset');
    let answers = 0;
    for (; resets().length < 3; answers++) {
      const seen = client.of(id).length;
      await touch(id);
      await eventually('the event', () => client.of(id).length > seen || undefined, PATIENCE_MS, 5);
    }
    calm.abort();
    await noise;
    const [first, , third] = resets();
    // Ten seconds pass between them: each event would wait for five if the others made it wait.
    expect(third!.atMs - first!.atMs, 'ms').to.be.at.least(5_000);
    expect(answers, 'events of another in the meantime').to.be.above(5);
    expect(client.events.filter(({ event }) => event === 'reset')).to.have.length(0);
    const quietMs = performance.now();
    await touch(stormed);
    const isSeen = ({ event, data, atMs }: ReceivedEvent) =>
      atMs > quietMs && (event === 'reset' || data.id === stormed);
    await theirs.received('the last change, by its event or a reset', isSeen, 30_000);
  });

  it('costs no reading while nobody holds one', async () => {
    const client = await open({ baseUrl: second.baseUrl });
    client.cut();
    await eventually(
      'the stream is closed',
      async () => (await second.metric('watchpost_event_streams')) === 0 || undefined,
      PATIENCE_MS,
      10,
    );
    let reads = -1;
    await eventually(
      'the last reading has ended too',
      async () => {
        const former = reads;
        reads = await second.metric('watchpost_event_reads_total');
        return reads === former || undefined;
      },
      PATIENCE_MS,
      500,
    );
    await seedMonitor(world);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(await second.metric('watchpost_event_reads_total')).to.equal(reads);
  });

  it('leaves nothing behind: old events and lapsed leases are deleted', async () => {
    const client = await open();
    await seedMonitor(world);
    await app.sql(`UPDATE workspace_event SET at = now() - interval '11 minutes'`);
    await app.sql(
      `INSERT INTO event_stream_lease (id, principal_id, until) VALUES (gen_random_uuid(), gen_random_uuid(), now() - interval '1 hour')`,
    );
    const { id } = await seedMonitor(world);
    await purgeEvents(app);
    const left = await app.sql<{ id: string }>('SELECT DISTINCT object_id AS id FROM workspace_event');
    expect(left).to.deep.equal([{ id }]);
    const count = await app.value<number>('SELECT count(*) AS count FROM event_stream_lease');
    expect(count).to.equal(1);
    client.cut();
  });

  it('is not opened by HEAD', async () => {
    const answer = await world.api('HEAD', '/api/v1/events');
    expect(answer.status).to.equal(200);
    expect(answer.body).to.equal('');
  });
});

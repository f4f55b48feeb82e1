import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { createSecretBox } from '@watchpost/control-plane/platform/db/secret-box';
import { create, nobodysId } from '../../support/seed.js';
import { appForSuite, worldForEach } from '../../support/suite.js';

const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const CHAT_URL = 'https://hooks.slack.com/services/T0000/B0000/veryS3cretPathOfThisChatWXYZ';
const WEBHOOK = {
  name: 'Relay',
  url: 'https://hooks.example.com/watchpost?key=qu3ryK3y',
  headers: { Authorization: 'Bearer hunter2hunter2', 'X-Hook-Token': 't0k3n-of-the-hook', 'X-Team': 'shop' },
};

describe('Secrets of action groups', () => {
  const app = appForSuite();
  const world = worldForEach(app);

  /** Everything that is stored, as in a copy of the database. */
  async function stored(): Promise<string> {
    const tables = await app.sql<{ name: string }>(
      `SELECT c.oid::regclass::text AS name FROM pg_class c
       WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition`,
    );
    const parts = await Promise.all(
      tables.map(({ name }) => app.sql<{ row: string }>(`SELECT t::text AS row FROM ${name} t`)),
    );
    return parts.flatMap((rows) => rows.map(({ row }) => row)).join('\n');
  }

  /** Every answer about a group. */
  async function everyAnswer(id: string, type: string): Promise<string> {
    const { api } = world;
    const answers = [
      await api('GET', '/api/v1/action-groups'),
      await api('GET', `/api/v1/action-groups/${id}`),
      await api('GET', `/api/v1/action-groups/${type}/${id}`),
      await api('PUT', `/api/v1/action-groups/${type}/${id}`, { isEnabled: false }),
      await api('PUT', `/api/v1/action-groups/${type}/${id}`, { headersX: 'no such field' }),
    ];
    return JSON.stringify(answers.map(({ body, headers }) => [body, [...headers]]));
  }

  it('show the signing secret of a webhook on creation only', async () => {
    const made = await create<{ id: string; secret: string }>(world.api, '/api/v1/action-groups/webhook', WEBHOOK);
    expect(made.secret).to.match(SECRET);
    expect(Buffer.from(made.secret.slice(6), 'base64')).to.have.length(32);
    expect(await everyAnswer(made.id, 'webhook')).to.not.include(made.secret.slice(6));
    const other = await create<{ secret: string }>(world.api, '/api/v1/action-groups/webhook', WEBHOOK);
    expect(other.secret).to.not.equal(made.secret);
  });

  it('repeat the same secret for a repeated idempotency key, stored sealed', async () => {
    const headers = { 'idempotency-key': nobodysId() };
    const first = await world.api('POST', '/api/v1/action-groups/webhook', WEBHOOK, headers);
    const second = await world.api('POST', '/api/v1/action-groups/webhook', WEBHOOK, headers);
    expect(second.body).to.deep.equal(first.body);
    expect(await stored()).to.not.include(first.body.secret.slice(6));
    const { body: groups } = await world.api('GET', '/api/v1/action-groups');
    expect(groups).to.have.length(1);
  });

  it('mask headers and URLs of chats in every answer, and are stored sealed', async () => {
    const hook = await create(world.api, '/api/v1/action-groups/webhook', WEBHOOK);
    expect(hook).to.deep.include({ headers: { Authorization: '***', 'X-Hook-Token': '***', 'X-Team': 'shop' } });
    const chats = await Promise.all(
      ['slack', 'teams'].map((type) =>
        create(world.api, `/api/v1/action-groups/${type}`, { name: 'Chat', webhookUrl: CHAT_URL }),
      ),
    );
    for (const chat of chats) expect(chat).to.deep.include({ webhookUrl: 'https://hooks.slack.com/***WXYZ' });
    const answers = [
      JSON.stringify([hook, chats]),
      await everyAnswer(hook.id, 'webhook'),
      await everyAnswer(chats[0]!.id, 'slack'),
      await everyAnswer(chats[1]!.id, 'teams'),
      JSON.stringify(app.warnings),
      await stored(),
    ].join();
    for (const secret of ['hunter2', 't0k3n-of', 'qu3ryK3y', 'veryS3cretPath']) expect(answers).to.not.include(secret);
  });

  it('are not sent to another host when the URL of a webhook changes', async () => {
    const { id } = await create(world.api, '/api/v1/action-groups/webhook', WEBHOOK);
    const moved = await world.api('PUT', `/api/v1/action-groups/webhook/${id}`, { url: 'https://evil.example/' });
    expect(moved.status).to.equal(400);
    expect(moved.body.details.map(({ path }: { path: string }) => path)).to.have.members([
      'headers.authorization',
      'headers.x-hook-token',
    ]);
    const unchanged = await world.api('GET', `/api/v1/action-groups/webhook/${id}`);
    expect(unchanged.body.url).to.equal('https://hooks.example.com/watchpost?***');
  });

  it('stay unchanged when an answer is sent back', async () => {
    for (const [type, body] of [
      ['webhook', WEBHOOK],
      ['slack', { name: 'Chat', webhookUrl: CHAT_URL }],
    ] as const) {
      const { id } = await create(world.api, `/api/v1/action-groups/${type}`, body);
      const path = `/api/v1/action-groups/${type}/${id}`;
      const sealed = await sealedOf(id);
      const read = await world.api('GET', path);
      const {
        id: _id,
        type: _type,
        monitorCount: _count,
        managedBy: _managed,
        created: _created,
        lastModified: _modified,
        ...writable
      } = read.body;
      const sentBack = await world.api('PUT', path, writable, { 'if-match': read.headers.get('etag')! });
      expect(sentBack.body).to.deep.equal(read.body);
      expect(sentBack.headers.get('etag')).to.equal(read.headers.get('etag'));
      expect(await sealedOf(id)).to.deep.equal(sealed);
    }
  });

  it('refuse a mask without a stored value', async () => {
    const { id } = await create(world.api, '/api/v1/action-groups/webhook', { ...WEBHOOK, headers: {} });
    const answer = await world.api('PUT', `/api/v1/action-groups/webhook/${id}`, { headers: { Authorization: '***' } });
    expect(answer.status).to.equal(400);
    expect(answer.body.details.map(({ path }: { path: string }) => path)).to.deep.equal(['headers.Authorization']);
    const chat = await world.api('POST', '/api/v1/action-groups/slack', {
      name: 'Chat',
      webhookUrl: 'https://hooks.slack.com/***WXYZ',
    });
    expect(chat.status).to.equal(400);
  });

  it('are shown once on rotation, and the former one is kept sealed for 24 hours', async () => {
    const made = await create<{ id: string; secret: string }>(world.api, '/api/v1/action-groups/webhook', WEBHOOK);
    app.clock.advance(1_000);
    const rotated = await create<{ secret: string; lastModified: string }>(
      world.api,
      `/api/v1/action-groups/webhook/${made.id}/rotate-secret`,
    );
    expect(rotated.secret).to.match(SECRET).and.to.not.equal(made.secret);
    expect(rotated.lastModified).to.equal(new Date(app.clock.now()).toISOString());
    const everything = (await everyAnswer(made.id, 'webhook')) + (await stored());
    for (const secret of [made.secret, rotated.secret]) expect(everything).to.not.include(secret.slice(6));
    const forget = app.plane.jobs.find(({ name }) => name === 'forget_former_webhook_secrets')!;
    const former = () =>
      app.sql(
        'SELECT former_secret IS NOT NULL AS kept, former_secret_until AS until FROM action_group WHERE id = $1',
        [made.id],
      );
    await forget.run();
    expect(await former()).to.deep.equal([{ kept: true, until: new Date(app.clock.now() + DAY_MS) }]);
    app.clock.advance(DAY_MS);
    await forget.run();
    expect(await former()).to.deep.equal([{ kept: false, until: null }]);
  });

  it('can be rotated for webhooks only', async () => {
    const { id } = await create(world.api, '/api/v1/action-groups/slack', { name: 'Chat', webhookUrl: CHAT_URL });
    for (const path of [`webhook/${id}`, id]) {
      expect((await world.api('POST', `/api/v1/action-groups/${path}/rotate-secret`)).status).to.equal(404);
    }
  });

  it('are consistent after two concurrent rotations: one is new, the other former', async () => {
    const { id } = await create(world.api, '/api/v1/action-groups/webhook', WEBHOOK);
    const path = `/api/v1/action-groups/webhook/${id}/rotate-secret`;
    const answers = await Promise.all([world.api('POST', path), world.api('POST', path)]);
    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200]);
    expect(new Set(answers.map(({ body }) => body.lastModified)).size, 'each is a change of its own').to.equal(2);
  });

  it('cannot be opened when the sealed value is copied to another group', async () => {
    const box = createSecretBox(Buffer.alloc(32, 7));
    const sealed = box.seal('{"secret":"whsec_x"}', 'one');
    expect(() => box.open(sealed, 'another')).to.throw();
    const [one, other] = await Promise.all([
      create(world.api, '/api/v1/action-groups/webhook', WEBHOOK),
      create(world.api, '/api/v1/action-groups/webhook', WEBHOOK),
    ]);
    await app.sql('UPDATE action_group SET secrets = (SELECT secrets FROM action_group WHERE id = $1) WHERE id = $2', [
      one.id,
      other.id,
    ]);
    const answer = await world.api('PUT', `/api/v1/action-groups/webhook/${other.id}`, { headers: {} });
    expect(answer.status).to.equal(500);
    expect(JSON.stringify([answer.body, app.warnings])).to.not.include('hunter2');
  });

  async function sealedOf(id: string): Promise<unknown> {
    return (await app.sql('SELECT secrets, last_modified FROM action_group WHERE id = $1', [id]))[0];
  }
});

import { expect } from 'chai';
import { z } from 'zod';
import { route } from '@watchpost/control-plane/platform/http/route';
import { purgeIdempotencyKeys } from '@watchpost/control-plane/platform/http/serving/idempotency-store';
import { newId } from '@watchpost/shared/id';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { printFairnessFigure } from '../../support/fairness-figure.js';
import { startSampleService, type SampleService } from './sample-service.js';

const MIB = 1_048_576;
const PATH = '/api/v1/things';
const LARGE = 300 * 1_024;

describe('idempotency keys and what they keep', () => {
  let database: TestDatabase;
  let service: SampleService;
  /** Called by a request that has committed its thing, before it answers; it goes on when this resolves. */
  let afterCommit: () => Promise<void>;

  beforeEach(async () => {
    database = await createTestDatabase();
    await database.sql('CREATE TABLE thing (id uuid PRIMARY KEY)');
    afterCommit = () => Promise.resolve();
    const things = route({
      method: 'post',
      path: PATH,
      tag: 'Things',
      operationId: 'createThing',
      audits: { none: 'a sample has no audit log' },
      summary: 'Make a thing',
      description: 'Makes a thing, and answers with as many characters as asked for.',
      scopes: ['monitor.admin'],
      role: 'Editor',
      body: z.strictObject({ size: z.int(), held: z.boolean().optional() }),
      answers: { 201: { description: 'The thing', schema: z.strictObject({ id: z.string(), text: z.string() }) } },
      async handle({ body }) {
        const id = newId(service.clock.now());
        await database.database.transaction(async (tx) => {
          await tx.query('INSERT INTO thing (id) VALUES ($1)', [id]);
        });
        if (body.held) await afterCommit();
        return { status: 201, location: `${PATH}/${id}`, body: { id, text: 'x'.repeat(body.size) } };
      },
    });
    service = await startSampleService(database.database, { routes: [things] });
  });
  afterEach(async () => {
    await service?.close();
    await database?.drop();
  });

  const post = (key: string | null, json: { size: number; held?: boolean }, token = 'alice-owner') =>
    service.call('POST', PATH, { json, token, headers: key === null ? {} : { 'idempotency-key': key } });
  const one = async <Row extends object>(statement: string): Promise<Row> => {
    const [row] = await database.sql<Row>(statement);
    return row!;
  };
  const things = async () => (await one<{ count: number }>('SELECT count(*) AS count FROM thing')).count;
  const keptBytes = async () =>
    (await one<{ bytes: number }>('SELECT coalesce(sum(octet_length(answer)), 0) AS bytes FROM idempotency_key')).bytes;
  const countedBytes = async () =>
    (await one<{ bytes: number }>('SELECT coalesce(sum(bytes), 0)::bigint AS bytes FROM idempotency_usage')).bytes;

  it('an answer over 256 KiB is not kept, and the repeat is refused and names what was created', async () => {
    const first = await post('k1', { size: LARGE });
    expect(first.status).to.equal(201);
    const again = await post('k1', { size: LARGE });
    expect([again.status, again.json.error]).to.deep.equal([409, 'idempotency_conflict']);
    expect(again.json.message).to.include(first.headers.get('location')!).and.to.include('too large');
    expect([await things(), await keptBytes()]).to.deep.equal([1, 0]);
    const other = await post('k1', { size: 1 });
    expect(other.json.message).to.include('another request');
  });

  it('at most 16 MiB are kept for a principal, then a new key is refused and nothing is done', async () => {
    const size = 250 * 1_024;
    let status = 201;
    let made = 0;
    for (; status === 201 && made < 100; made++) ({ status } = await post(`k${made}`, { size }));
    expect(status).to.equal(429);
    const refused = await post('new', { size: 1 });
    expect([refused.status, refused.json.error]).to.deep.equal([429, 'rate_limited']);
    expect(refused.headers.get('retry-after')).to.equal('3600');
    expect(refused.json.message).to.include('16 MiB');
    expect(await things()).to.equal(made - 1);
    expect(await keptBytes()).to.be.within(15.5 * MIB, 16 * MIB);
    expect(await countedBytes()).to.equal(await keptBytes());
    printFairnessFigure({
      attack: 12,
      measure: 'answers kept for a principal, MiB',
      before: 0,
      during: Math.round((10 * (await keptBytes())) / MIB) / 10,
      limit: 'at most 16',
    });

    expect((await post('k0', { size })).headers.get('idempotent-replayed'), 'what is kept').to.equal('true');
    expect((await post(null, { size: 1 })).status, 'without a key').to.equal(201);
    expect((await post('new', { size: 1 }, 'bob-editor')).status, 'somebody else').to.equal(201);

    service.clock.advance(24 * 3_600_000);
    expect((await post('k0', { size: 1 })).status, 'an expired key makes room').to.equal(201);
    const purge = () => database.database.transaction((tx) => purgeIdempotencyKeys(tx, service.clock.now()));
    expect(await purge()).to.be.above(60);
    expect(await countedBytes()).to.equal(await keptBytes());
    expect((await post('new', { size: 1 })).status).to.equal(201);
  });

  it('keeps within 16 MiB though many large answers come at once', async () => {
    await post('k', { size: 1 });
    await database.sql('UPDATE idempotency_usage SET bytes = $1', [15.5 * MIB]);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, (_, index) => post(`k${index}`, { size: 200 * 1_024 }).then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 201).length).to.be.at.least(2);
    expect(await countedBytes()).to.be.at.most(16 * MIB);
  });

  it('a request that changed something and was lost is not run again, and the repeat is refused with that reason', async () => {
    let committed!: () => void;
    const isCommitted = new Promise<void>((resolve) => (committed = resolve));
    let release!: () => void;
    afterCommit = () => {
      committed();
      return new Promise((resolve) => (release = resolve));
    };
    const first = post('k1', { size: 1, held: true });
    await isCommitted;
    // As if the process were gone: nobody renews its lock.
    service.clock.advance(20_000);
    const again = await post('k1', { size: 1, held: true });
    expect([again.status, again.json.error]).to.deep.equal([409, 'idempotency_conflict']);
    expect(again.json.message).to.include('its answer was lost');
    expect(await things()).to.equal(1);
    release();
    expect((await first).status).to.equal(201);
    expect((await post('k1', { size: 1, held: true })).headers.get('idempotent-replayed')).to.equal('true');
  });

  it('a request that failed after it changed something is not run again', async () => {
    afterCommit = () => Promise.reject(new Error('broken'));
    expect((await post('k1', { size: 1, held: true })).status).to.equal(500);
    afterCommit = () => Promise.resolve();
    expect((await post('k1', { size: 1, held: true })).status).to.equal(409);
    expect(await things()).to.equal(1);
  });

  it('a process that was taken for dead changes nothing once another has taken its key over', async () => {
    const { database: db } = database;
    const lock = db.source.createQueryRunner();
    await lock.connect();
    await lock.startTransaction();
    await lock.query('LOCK TABLE thing IN EXCLUSIVE MODE');
    const first = post('k1', { size: 1 });
    await waitForBlocked(db);
    service.clock.advance(20_000);
    const second = post('k1', { size: 1 });
    await waitForBlocked(db, 2);
    await lock.rollbackTransaction();
    await lock.release();
    const answers = await Promise.all([first, second]);
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    // On a machine so busy that the first one has renewed its lock meanwhile, the second one gets its answer.
    const isReplayed = answers.some(({ headers }) => headers.get('idempotent-replayed') === 'true');
    expect(statuses).to.deep.equal(isReplayed ? [201, 201] : [201, 409]);
    expect(await things()).to.equal(1);
  });
});

async function waitForBlocked(db: TestDatabase['database'], count = 1): Promise<void> {
  for (;;) {
    const rows = await db.read((tx) => tx.query('SELECT 1 FROM pg_locks WHERE NOT granted'));
    if (rows.length >= count) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

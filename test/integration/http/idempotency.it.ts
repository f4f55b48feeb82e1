import { expect } from 'chai';
import { HOUR_MS } from '@watchpost/shared/time';
import { purgeIdempotencyKeys } from '@watchpost/control-plane/platform/http/serving/idempotency-store';
import { createTestDatabase, type TestDatabase } from '../../support/database.js';
import { startSampleService, type Answered, type SampleService } from './sample-service.js';

const NOTES = '/api/v1/notes';

describe('a POST with an Idempotency-Key', () => {
  let database: TestDatabase;
  let service: SampleService;
  beforeEach(async () => {
    database = await createTestDatabase();
    service = await startSampleService(database.database);
  });
  afterEach(async () => {
    await service?.close();
    await database?.drop();
  });

  const post = (key: string, json: unknown, token = 'alice-owner') =>
    service.call('POST', NOTES, { json, token, headers: { 'idempotency-key': key } });
  const same = (answer: Answered) => ({
    status: answer.status,
    text: answer.text,
    location: answer.headers.get('location'),
    etag: answer.headers.get('etag'),
    type: answer.headers.get('content-type'),
  });
  const isHeld = async (count: number, by = service) => {
    while (by.held.length < count) await new Promise((resolve) => setImmediate(resolve));
  };

  it('runs once, and gives its first answer again, headers and all', async () => {
    const first = await post('k1', { name: 'once', colour: 'red' });
    const second = await post('k1', { colour: 'red', name: 'once' });
    expect(first.status).to.equal(201);
    expect(same(second)).to.deep.equal(same(first));
    expect(second.headers.get('idempotent-replayed')).to.equal('true');
    expect(second.headers.get('x-request-id')).to.not.equal(first.headers.get('x-request-id'));
    expect(service.runs).to.equal(1);
  });

  it('is refused where the key was used for something else', async () => {
    await post('k1', { name: 'one' });
    const other = await post('k1', { name: 'two' });
    expect([other.status, other.json.error]).to.deep.equal([409, 'idempotency_conflict']);
  });

  it('belongs to its caller: another one may use the same key', async () => {
    await post('k1', { name: 'mine' });
    expect((await post('k1', { name: 'yours' }, 'bob-editor')).status).to.equal(201);
    expect(service.runs).to.equal(2);
  });

  it('repeats refusals, and tries again what failed by our fault', async () => {
    const refused = await post('k1', { name: 'taken' });
    expect([refused.status, (await post('k1', { name: 'taken' })).text]).to.deep.equal([409, refused.text]);
    expect(service.runs).to.equal(1);
    expect((await post('k2', { name: 'broken' })).status).to.equal(500);
    expect((await post('k2', { name: 'broken' })).status).to.equal(500);
    expect(service.runs).to.equal(3);
  });

  it('does not use up its key where the request itself was at fault', async () => {
    expect((await post('k1', { name: '' })).status).to.equal(400);
    expect((await post('k1', { name: 'better' })).status).to.equal(201);
  });

  it('waits for the first one where both come at once', async () => {
    const hold = () => service.call('POST', '/api/v1/held', { headers: { 'idempotency-key': 'k1' } });
    const answers = [hold()];
    await isHeld(1);
    answers.push(hold(), hold());
    service.held[0]!();
    const bodies = (await Promise.all(answers)).map(({ status, text }) => `${status} ${text}`);
    expect(new Set(bodies)).to.deep.equal(new Set(['200 {"run":1}']));
    expect(service.runs).to.equal(1);
  });

  it('of ten at once runs one', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('k1', { name: 'rush' })));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).to.equal(1);
    expect(service.runs).to.equal(1);
  });

  it('gives the answer later that came too late the first time', async () => {
    const hasty = await startSampleService(database.database, { deadlineMs: 100 });
    const hold = () => hasty.call('POST', '/api/v1/held', { headers: { 'idempotency-key': 'k1' } });
    expect((await hold()).status).to.equal(503);
    // What was cut off goes on, and may come this far only now.
    await isHeld(1, hasty);
    hasty.held[0]!();
    let again = await hold();
    while (again.status === 503) again = await hold();
    expect([again.status, again.json['run'], hasty.runs]).to.deep.equal([200, 1, 1]);
    await hasty.close();
  });

  it('frees its key soon after a crash', async () => {
    const first = service.call('POST', '/api/v1/held', { headers: { 'idempotency-key': 'k1' } });
    await isHeld(1);
    // As if the first process were gone: nobody renews its lock.
    service.clock.advance(20_000);
    const second = service.call('POST', '/api/v1/held', { headers: { 'idempotency-key': 'k1' } });
    await isHeld(2);
    service.held[1]!();
    expect((await second).json['run']).to.equal(2);
    service.held[0]!();
    await first;
    const third = await service.call('POST', '/api/v1/held', { headers: { 'idempotency-key': 'k1' } });
    expect(third.json['run'], 'the late answer of the one taken for dead does not replace the kept one').to.equal(2);
  });

  it('forgets after 24 h, and the purge takes away what is forgotten', async () => {
    await post('k1', { name: 'old' });
    service.clock.advance(24 * HOUR_MS - 1);
    expect((await post('k1', { name: 'old' })).headers.get('idempotent-replayed')).to.equal('true');
    service.clock.advance(1);
    await post('k2', { name: 'young' });
    const purge = () => database.database.transaction((tx) => purgeIdempotencyKeys(tx, service.clock.now()));
    expect([await purge(), await purge()]).to.deep.equal([1, 0]);
    expect((await post('k1', { name: 'new' })).status).to.equal(201);
  });

  it('keeps no answer readable in the database', async () => {
    await post('k1', { name: 'a secret name' });
    const answer = await database.value<Buffer>('SELECT answer FROM idempotency_key');
    expect(answer.toString('latin1')).to.not.include('secret');
  });

  it('has 1 to 255 printable characters', async () => {
    expect((await post('x'.repeat(255), { name: 'a' })).status).to.equal(201);
    for (const key of ['x'.repeat(256), 'schl\u00fcssel', 'a\tb']) {
      const refused = await post(key, { name: 'a' });
      expect([refused.status, refused.json.details?.[0]?.path]).to.deep.equal([400, 'Idempotency-Key']);
    }
  });
});

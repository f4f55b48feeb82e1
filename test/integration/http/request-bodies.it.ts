import { connect } from 'node:net';
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { startSampleService } from './sample-service.js';
import { databaseForSuite, startedForSuite } from '../../support/suite.js';

const NOTES = '/api/v1/notes';
const JSON_TYPE = { 'content-type': 'application/json' };

describe('request bodies', () => {
  const database = databaseForSuite();
  const service = startedForSuite(() => startSampleService(database.database));

  const post = async (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) => {
    const answer = await service.call('POST', NOTES, { body, headers });
    return [answer.status, answer.json.error];
  };

  it('must be JSON in UTF-8, one value, each name once, not absurdly deep', async () => {
    const invalid = [
      '',
      '{',
      '{}{}',
      '{} x',
      'null x',
      "{'a':1}",
      Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
      '{"name":"a","name":"b"}',
      '{"name":"a","n\\u0061me":"b"}',
      '['.repeat(100_000),
      '['.repeat(65) + ']'.repeat(65),
    ];
    for (const body of invalid)
      expect([body.slice(0, 20), ...(await post(body))]).to.deep.equal([body.slice(0, 20), 400, 'invalid_json']);
  });

  it('must be of the right shape', async () => {
    for (const body of [
      'null',
      '[]',
      '"text"',
      '1',
      '{"__proto__":{"name":"x"}}',
      '{"name":"a\\u0000b"}',
      '{"name":"\\ud800"}',
      '{"name":"x","constructor":1}',
    ]) {
      expect([body, ...(await post(body))]).to.deep.equal([body, 400, 'validation_failed']);
    }
    expect(({} as { name?: string }).name).to.equal(undefined);
  });

  it('must be declared as JSON, and are not decoded', async () => {
    for (const headers of [
      {},
      { 'content-type': 'text/plain' },
      { 'content-type': 'application/json; charset=latin1' },
      { ...JSON_TYPE, 'content-encoding': 'gzip' },
    ]) {
      expect(await post('{"name":"x"}', headers)).to.deep.equal([415, 'unsupported_media_type']);
    }
    expect((await post('\ufeff{"name":"x"}', { 'content-type': 'Application/JSON; charset="UTF-8"' }))[0]).to.equal(
      201,
    );
  });

  it('may be a merge patch for PATCH', async () => {
    const note = await service.call('POST', NOTES, { json: { name: 'a', colour: 'red' } });
    const patched = await service.call('PATCH', note.headers.get('location')!, {
      body: '{"colour":null}',
      headers: { 'content-type': 'application/merge-patch+json' },
    });
    expect([patched.status, patched.json['colour'], patched.json['name']]).to.deep.equal([200, null, 'a']);
  });

  it('may have 1 MiB and not a byte more, whether the length is announced or not', async () => {
    const fitting = JSON.stringify({ name: 'x', tags: ['y'.repeat(1_048_576 - 24)] });
    expect(Buffer.byteLength(fitting)).to.be.at.most(1_048_576);
    expect((await post(fitting))[1]).to.equal('validation_failed');
    expect(await post('x'.repeat(1_048_577))).to.deep.equal([413, 'payload_too_large']);
    const chunked = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(service.url + NOTES, {
        method: 'POST',
        headers: { ...JSON_TYPE, authorization: 'Bearer alice-owner' },
      });
      request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject);
      for (let sent = 0; sent < 40; sent++) request.write('y'.repeat(65_536));
      request.end();
    });
    expect(chunked).to.equal(413);
  });

  it('are never read where a route takes none', async () => {
    service.held.length = 0;
    const answered = service.call('POST', '/api/v1/held', {
      body: 'garbage',
      headers: { 'content-type': 'image/png' },
    });
    while (service.held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    service.held.pop()!();
    expect((await answered).status).to.equal(200);
  });

  it('of callers who hang up leave nothing behind', async () => {
    const socket = connect(service.listener.port, '127.0.0.1');
    socket.write(
      `POST ${NOTES} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer alice-owner\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"na`,
      () => socket.destroy(),
    );
    const counted = async () =>
      (await service.registry.metrics()).includes('method="POST",route="/api/v1/notes",status="499"} 1');
    while (!(await counted())) await new Promise((resolve) => setImmediate(resolve));
    expect(await service.registry.metrics()).to.match(/watchpost_http_requests_in_flight 0/);
  });
});

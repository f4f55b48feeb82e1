import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { OTHER_WORKSPACE, startSampleService, WORKSPACE } from './sample-service.js';
import { databaseForSuite, startedForSuite } from '../../support/suite.js';

const NOTES = '/api/v1/notes';
const UNKNOWN_ID = '019aa5c2-0000-7000-8000-00000000dead';

describe('what a request must pass before it is served', () => {
  const database = databaseForSuite();
  const service = startedForSuite(() => startSampleService(database.database));

  it('answers 404 for an unknown path, before it checks the token', async () => {
    const answer = await service.call('GET', '/api/v1/nothing', { token: null });
    expect([answer.status, answer.json.error]).to.deep.equal([404, 'not_found']);
    expect(answer.json.requestId).to.equal(answer.headers.get('x-request-id'));
  });

  it('answers 405 with the methods that a path takes', async () => {
    const answer = await service.call('DELETE', NOTES, { token: null });
    expect([answer.status, answer.json.error]).to.deep.equal([405, 'method_not_allowed']);
    expect(answer.headers.get('allow')).to.equal('GET, HEAD, OPTIONS, POST');
  });

  it('answers OPTIONS with the methods, HEAD like GET without its body', async () => {
    const options = await service.call('OPTIONS', `${NOTES}/${UNKNOWN_ID}`, { token: null });
    expect([options.status, options.headers.get('allow')]).to.deep.equal([204, 'DELETE, GET, HEAD, OPTIONS, PATCH']);
    const head = await service.call('HEAD', NOTES);
    expect([head.status, head.text, head.headers.get('content-length')]).to.deep.equal([200, '', '2']);
    expect((await service.call('OPTIONS', '/api/v1/nothing')).status).to.equal(404);
  });

  it('asks for a token by RFC 6750 and RFC 9728', async () => {
    const missing = await service.call('POST', NOTES, { token: null, body: 'not json' });
    expect([missing.status, missing.json.error]).to.deep.equal([401, 'missing_token']);
    expect(missing.headers.get('www-authenticate')).to.equal(
      'Bearer resource_metadata="https://watch.example/.well-known/oauth-protected-resource"',
    );
    const invalid = await service.call('POST', NOTES, { token: 'forged', body: 'not json' });
    expect([invalid.status, invalid.json.error]).to.deep.equal([401, 'invalid_token']);
    expect(invalid.headers.get('www-authenticate')).to.match(
      /^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="/,
    );
  });

  it('takes the scheme in any case, and exactly one well-formed header', async () => {
    const authorization = async (value: string) =>
      (await service.call('GET', NOTES, { token: null, headers: { authorization: value } })).json.error;
    expect(await authorization('bEaReR alice-owner')).to.equal(undefined);
    expect(await authorization('Basic YTpi')).to.equal('missing_token');
    expect(await authorization('Bearer')).to.equal('invalid_token');
    expect(await authorization('Bearer alice-owner forged')).to.equal('invalid_token');
    const twice = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest(service.url + NOTES, {
        headers: ['Host', 'x', 'Authorization', 'Bearer alice-owner', 'Authorization', 'Bearer alice-owner'],
      });
      request
        .on('response', (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end();
    });
    expect(twice).to.equal(401);
  });

  it('checks scope, then workspace, then role, then body', async () => {
    const post = async (token: string, headers: Record<string, string> = {}) => {
      const answer = await service.call('POST', NOTES, {
        token,
        body: 'not json',
        headers: { 'content-type': 'application/json', ...headers },
      });
      return [answer.status, answer.json.error];
    };
    expect(await post('alice-read', { 'x-workspace-id': OTHER_WORKSPACE })).to.deep.equal([403, 'insufficient_scope']);
    expect(await post('bob-viewer', { 'x-workspace-id': OTHER_WORKSPACE })).to.deep.equal([
      403,
      'no_workspace_context',
    ]);
    expect(await post('bob-viewer')).to.deep.equal([403, 'insufficient_workspace_role']);
    expect(await post('bob-editor')).to.deep.equal([400, 'invalid_json']);
  });

  it('takes the stronger scope for the weaker one', async () => {
    for (const token of ['alice-owner', 'alice-write', 'alice-read'])
      expect((await service.call('GET', NOTES, { token })).status).to.equal(200);
  });

  it('treats a workspace header that is no id like an unknown workspace', async () => {
    for (const id of ['nonsense', OTHER_WORKSPACE, `${WORKSPACE}, ${WORKSPACE}`]) {
      const answer = await service.call('GET', NOTES, { headers: { 'x-workspace-id': id } });
      expect([answer.status, answer.json.error]).to.deep.equal([403, 'no_workspace_context']);
    }
  });

  it('takes the workspace from the path whatever the header contains, and hides it from strangers', async () => {
    const me = (token: string, id = WORKSPACE) =>
      service.call('GET', `/api/v1/workspaces/${id}/members/me`, {
        token,
        headers: { 'x-workspace-id': OTHER_WORKSPACE },
      });
    expect((await me('alice-owner')).json['which']).to.equal('me');
    expect((await me('stranger')).status).to.equal(404);
    expect((await me('alice-owner', 'nonsense')).status).to.equal(404);
  });

  it('answers 404 rather than 400 for an id that is no UUID, also in broken encoding', async () => {
    for (const id of ['1', '%', '%zz', '%00', '%ff', '..%2f..', UNKNOWN_ID, '__proto__']) {
      const answer = await service.call('GET', `${NOTES}/${id}`);
      expect([id, answer.status, answer.json.error]).to.deep.equal([id, 404, 'not_found']);
    }
  });

  it('names every fault of query and body at once', async () => {
    const query = await service.call('GET', `${NOTES}?page=0&pageSize=ten&startDate=yesterday&colour=red&pinned=maybe`);
    expect(query.status).to.equal(400);
    expect(query.json.details?.map(({ path }) => path)).to.have.members([
      'page',
      'pageSize',
      'startDate',
      'colour',
      'pinned',
    ]);
    const body = await service.call('POST', `${NOTES}?x=1`, {
      json: { colour: 'blue', tags: ['x', 7, 'far too long a tag'], nam: 'typo' },
    });
    expect(body.json.error).to.equal('validation_failed');
    expect(body.json.details?.map(({ path }) => path)).to.have.members([
      'x',
      'name',
      'colour',
      'tags.1',
      'tags.2',
      'nam',
    ]);
  });

  it('names text that cannot be stored beside all other faults, each field once', async () => {
    const { json } = await service.call('POST', `${NOTES}?x=%00&%00=1&y=2`, {
      json: { name: 'a\0b', colour: 'blue', tags: ['far too long a tag\0', 7], nam: 'typo', 'n\0': 1 },
    });
    expect(json.error).to.equal('validation_failed');
    expect(json.details?.map(({ path }) => path)).to.have.members([
      'x',
      '\0',
      'y',
      'name',
      'tags.0',
      'n\0',
      'colour',
      'tags.1',
      'nam',
    ]);
  });

  it('refuses a time range that does not run forwards, and times without a zone', async () => {
    const range = (start: string, end: string) => service.call('GET', `${NOTES}?startDate=${start}&endDate=${end}`);
    expect((await range('2026-11-02T00:00:00Z', '2026-11-02T00:00:00Z')).json.details?.[0]?.path).to.equal('endDate');
    expect((await range('2026-11-02T00:00:00', '2026-11-03T00:00:00Z')).json.details?.[0]?.path).to.equal('startDate');
    expect((await range('2026-11-02T00:00:00%2B02:00', '2026-11-03T00:00:00Z')).status).to.equal(200);
  });

  it('answers only what the caller accepts', async () => {
    const accept = async (value: string) => (await service.call('GET', NOTES, { headers: { accept: value } })).status;
    expect(await accept('text/html, application/*;q=0.5')).to.equal(200);
    expect(await accept('text/html')).to.equal(406);
    expect(await accept('application/json;q=0')).to.equal(406);
  });
});

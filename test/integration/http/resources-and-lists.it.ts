import { expect } from 'chai';
import { startSampleService } from './sample-service.js';
import { databaseForSuite, startedForSuite } from '../../support/suite.js';

const NOTES = '/api/v1/notes';

describe('resources and lists', () => {
  const database = databaseForSuite();
  const service = startedForSuite(() => startSampleService(database.database));

  const create = async (name: string) => {
    const created = await service.call('POST', NOTES, { json: { name } });
    return { path: created.headers.get('location')!, tag: created.headers.get('etag')! };
  };

  it('carry one strong tag from creation over reading to change', async () => {
    const { path, tag } = await create('tagged');
    expect(tag).to.match(/^"[\w-]{27}"$/);
    const read = await service.call('GET', path);
    expect(read.headers.get('etag')).to.equal(tag);
    const changed = await service.call('PATCH', path, { json: { name: 'renamed' } });
    expect(changed.headers.get('etag')).to.not.equal(tag);
    expect((await service.call('GET', path)).headers.get('etag')).to.equal(changed.headers.get('etag'));
  });

  it('are not sent again to who has them', async () => {
    const { path, tag } = await create('cached');
    for (const value of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await service.call('GET', path, { headers: { 'if-none-match': value } });
      expect([again.status, again.text, again.headers.get('etag')]).to.deep.equal([304, '', tag]);
    }
    expect((await service.call('GET', path, { headers: { 'if-none-match': '"other"' } })).status).to.equal(200);
  });

  it('are sent again where they hold what changes under their tag', async () => {
    const readers = (headers: Record<string, string> = {}) =>
      service.call('GET', '/api/v1/notes/019aa5c2-0000-7000-8000-00000000dead/readers', { headers });
    const first = await readers();
    const second = await readers({ 'if-none-match': first.headers.get('etag')! });
    expect([second.status, second.headers.get('etag')]).to.deep.equal([200, first.headers.get('etag')]);
    expect(second.json['readers']).to.not.equal(first.json['readers']);
  });

  it('are not changed by who has not seen their latest state', async () => {
    const { path, tag } = await create('contested');
    const patch = (value: string) =>
      service.call('PATCH', path, { json: { name: 'mine' }, headers: { 'if-match': value } });
    for (const value of ['"other"', `W/${tag}`, 'garbage']) {
      const refused = await patch(value);
      expect([refused.status, refused.json.error]).to.deep.equal([412, 'precondition_failed']);
    }
    expect((await patch(`"other", ${tag}`)).status).to.equal(200);
    expect((await patch(tag)).status).to.equal(412);
    expect((await patch('*')).status).to.equal(200);
    expect((await service.call('DELETE', path, { headers: { 'if-match': tag } })).status).to.equal(412);
    expect((await service.call('DELETE', path)).status).to.equal(204);
    expect((await service.call('DELETE', path)).status).to.equal(404);
  });

  it('come in list pages with the total, and links to the other ones', async () => {
    const { json } = await service.call('GET', NOTES);
    const before = (json as unknown as unknown[]).length;
    for (let index = before; index < 7; index++) await create(`n${index}`);
    const page = await service.call('GET', `${NOTES}?pageSize=3&page=2&pinned=true`);
    expect(page.headers.get('x-total-count')).to.equal('7');
    expect((page.json as unknown as unknown[]).length).to.equal(3);
    const link = (rel: string, number: number) =>
      `<https://watch.example${NOTES}?pageSize=3&page=${number}&pinned=true>; rel="${rel}"`;
    expect(page.headers.get('link')).to.equal(
      [link('first', 1), link('prev', 1), link('next', 3), link('last', 3)].join(', '),
    );
    const beyond = await service.call('GET', `${NOTES}?pageSize=3&page=9`);
    expect([beyond.status, beyond.text]).to.deep.equal([200, '[]']);
    expect(beyond.headers.get('link')).to.include('page=3>; rel="prev"').and.not.include('next');
  });

  it('have list pages of at most 200, and of 50 by default', async () => {
    const sizes = async (query: string) => (await service.call('GET', `${NOTES}?${query}`)).status;
    expect(await sizes('pageSize=5000')).to.equal(200);
    for (const bad of [
      'pageSize=0',
      'pageSize=-1',
      'pageSize=1.5',
      'pageSize=',
      'pageSize=1e2',
      'page=0',
      'page=999999999999',
      'page=2&page=3',
    ]) {
      expect([bad, await sizes(bad)]).to.deep.equal([bad, 400]);
    }
    expect(await sizes('tag=a')).to.equal(200);
    expect(await sizes('tag=a&tag=b')).to.equal(200);
  });
});

import { expect } from 'chai';
import { DAY_MS, HOUR_MS } from '@watchpost/shared/time';
import { purgeMarks } from '@watchpost/control-plane/capabilities/marks/index';
import { startTestApp } from '../../support/app.js';
import type { Json } from '../../support/product.js';
import { startedForEach } from '../../support/suite.js';

const PATH = '/api/v1/marks';

describe('Marks', () => {
  const app = startedForEach(() => startTestApp());

  const mark = async (body: object): Promise<Json> => (await app.owner.api('POST', PATH, body)).body;
  const texts = async (query = '') => (await app.owner.api('GET', PATH + query)).body.map(({ text }: Json) => text);
  const at = (ms: number) => new Date(app.clock.now() + ms).toISOString();

  it('are now where no time is given, and are listed newest first', async () => {
    const made = await mark({ text: ' Deploy 1 ' });
    expect(made).to.deep.include({ at: at(0), text: 'Deploy 1', tags: [], url: null });
    await mark({ text: 'DNS moved', at: at(-DAY_MS), tags: ['Team:Web', 'team:web'], url: 'https://ci.example/1' });
    expect(await texts()).to.deep.equal(['Deploy 1', 'DNS moved']);
    expect(await texts(`?startDate=${at(-2 * DAY_MS)}&endDate=${at(-HOUR_MS)}`)).to.deep.equal(['DNS moved']);
  });

  it('are refused in one answer with all that is wrong', async () => {
    const { status, body } = await app.owner.api('POST', PATH, { text: '', tags: ['ä'], url: 'javascript:alert(1)' });
    expect(status).to.equal(400);
    expect(body.details.map(({ path }: Json) => path)).to.have.members(['text', 'tags.0', 'url']);
    const secret = await app.owner.api('POST', PATH, { text: 'x', url: 'https://ci:pass@ci.example/' });
    expect([secret.status, secret.body.details?.[0].path]).to.deep.equal([400, 'url']);
    for (const ms of [-91 * DAY_MS, 2 * HOUR_MS])
      expect((await app.owner.api('POST', PATH, { text: 'x', at: at(ms) })).body.details[0].path).to.equal('at');
  });

  it('are at most 9,000, until some are deleted', async () => {
    const { id } = await mark({ text: 'first' });
    await app.sql(
      `INSERT INTO mark (id, workspace_id, at, text, tags, created)
       SELECT gen_random_uuid(), workspace_id, at, 'many', '{}', created FROM mark, generate_series(2, 9000) WHERE id = $1`,
      [id],
    );
    expect((await mark({ text: 'one more' })).message).to.match(/has 9000 marks, .*delete some first/);
    await app.owner.api('DELETE', `${PATH}/${id}`);
    expect((await mark({ text: 'one more' })).text).to.equal('one more');
  });

  it('are gone once they are deleted, or older than 90 days', async () => {
    const { id } = await mark({ text: 'wrong' });
    await mark({ text: 'old', at: at(-DAY_MS) });
    expect((await app.owner.api('DELETE', `${PATH}/${id}`)).status).to.equal(204);
    expect((await app.owner.api('DELETE', `${PATH}/${id}`)).status).to.equal(404);
    expect(await texts()).to.deep.equal(['old']);
    app.clock.advance(90 * DAY_MS);
    await purgeMarks({ db: app.db, clock: app.clock });
    expect(await texts()).to.deep.equal([]);
  });
});

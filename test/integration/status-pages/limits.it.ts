import { expect } from 'chai';
import { create, makeWorld } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

describe('The number of status pages', () => {
  const app = appForSuite();

  it('is 20 of an account over all its workspaces, also when many are asked for at once', async () => {
    const world = await makeWorld(app, 'Pro');
    const other = app.as(world.owner.sub, { workspaceId: world.owner.workspaceId });
    let slugs = 0;
    const page = () => ({ name: 'Acme', slug: `limited-${++slugs}` });
    for (let index = 0; index < 15; index++)
      await create(index % 2 === 0 ? world.api : other, '/api/v1/status-page', page());
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? world.api : other)('POST', '/api/v1/status-page', page()),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([
      ...Array<number>(5).fill(201),
      ...Array<number>(5).fill(403),
    ]);
    const refused = answers.find(({ status }) => status === 403)!;
    expect(refused.body).to.deep.include({
      error: 'plan_limit_exceeded',
      message: 'An account has at most 20 status pages, over all its workspaces; delete one first.',
    });
    const [{ id }] = (await world.api('GET', '/api/v1/status-page')).body;
    await create(world.api, `/api/v1/status-page/${id}`, undefined, 'DELETE');
    await create(other, '/api/v1/status-page', page());
    const stranger = await makeWorld(app, 'Starter');
    await create(stranger.api, '/api/v1/status-page', page());
  });
});

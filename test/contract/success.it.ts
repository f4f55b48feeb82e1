import { expect } from 'chai';
import { makeWorld } from '../support/seed.js';
import { expectFault, expectStatus, show } from './case-count.js';
import { app, callerOf, send, seedOf, SUBJECTS, successOf } from './subject.js';

const gets = app.routes
  .filter(({ method }) => method === 'get')
  .map(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`));

describe('successful calls', () => {
  for (const subject of SUBJECTS) {
    const { title, route, example } = subject;

    for (const scope of route.scopes === 'anonymous' ? [undefined] : route.scopes) {
      it(`${title} succeeds with ${scope ?? 'no token'}`, async () => {
        const world = await makeWorld(app);
        const call = await seedOf(subject, world);
        const api = await callerOf(subject, world, call, scope);
        const answer = await send(subject, world, call, { api });
        expectStatus(title, answer, successOf(subject));
        await example.check?.(answer, world, call);
        const location = answer.headers.get('location');
        if (answer.status === 201 && location !== null && gets.some((pattern) => pattern.test(location))) {
          expectStatus(`GET of the Location ${location}`, await world.api('GET', location), 200);
        }
      });
    }

    if (route.method !== 'delete') continue;
    it(`${title} is answered with 404 the second time`, async () => {
      const world = await makeWorld(app);
      const call = await seedOf(subject, world);
      const first = await send(subject, world, call);
      expect(first.status, show(first)).to.equal(204);
      expectFault('again', await send(subject, world, call), 404, 'not_found');
    });
  }

  it('leave no unexpected warning in the log', () => {
    // The log contains a warning wherever a part of the outside world is missing, as it is in these tests.
    const surprises = app.warnings.filter(({ err }) => (err as { code?: string } | undefined)?.code !== 'unavailable');
    expect(surprises).to.deep.equal([]);
  });
});

import { expect } from 'chai';
import { makeWorld, nobodysId } from '../support/seed.js';
import { expectFault } from './case-count.js';
import { app, SUBJECTS, paramsOf, pathOf, send, seedOf } from './subject.js';
import { tableDigest } from './table-digest.js';

const MALFORMED = ['not-an-id', '%00', '..%2f..', '%F0%9F%98%80', "1'%20or%20'1", 'x'.repeat(500), '{id}', '%ed%a0%80'];

describe('resources that do not exist or belong to another workspace', () => {
  for (const subject of SUBJECTS) {
    const { title, example } = subject;
    const names = paramsOf(subject);
    const [status, error] = example.unknown ?? [404, 'not_found'];
    if (names.length === 0 && !example.foreignBody) continue;

    it(`${title}: foreign, missing and malformed ids are answered with ${status}`, async () => {
      const [world, foreign] = [await makeWorld(app), await makeWorld(app)];
      const [mine, theirs] = [await seedOf(subject, world), await seedOf(subject, foreign)];
      const isPublic = subject.route.scopes === 'anonymous';
      const api = isPublic ? app.anonymous : world.as(mine.by ?? world.owner);
      const before = await tableDigest(app);
      for (const name of names) {
        for (const [what, id] of [
          ['foreign', theirs.params?.[name]],
          ['missing', nobodysId()],
        ] as const) {
          // What is published, or has a credential as its path, can be read from anywhere.
          if ((isPublic || subject.route.secretPath === true) && what === 'foreign') continue;
          const call = { ...mine, params: { ...mine.params, [name]: id! } };
          expectFault(`${what} {${name}}`, await send(subject, world, call, { api }), status, error);
        }
        for (const text of MALFORMED) {
          const call = { ...mine, params: { ...mine.params, [name]: 'MALFORMED' } };
          // Of such a text nothing can be looked for.
          const refused = text === '%00' ? ([404, 'not_found'] as const) : ([status, error] as const);
          const path = pathOf(subject, world.workspaceId, call).replace('MALFORMED', text);
          expectFault(`{${name}} ${text.slice(0, 40)}`, await send(subject, world, call, { api, path }), ...refused);
        }
      }
      if (names.length > 1 && !isPublic) {
        expectFault('all ids foreign', await send(subject, world, theirs, { api, body: mine.body }), 404, 'not_found');
      }
      if (example.foreignBody) {
        const body = await example.foreignBody(world, foreign);
        const unchanged = await tableDigest(app);
        expectFault('something foreign in the body', await send(subject, world, mine, { api, body }), 404, 'not_found');
        expect(await tableDigest(app)).to.equal(unchanged);
      } else {
        expect(await tableDigest(app), 'a refusal changes nothing').to.equal(before);
      }
    });
  }
});

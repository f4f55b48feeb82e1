import { expect } from 'chai';
import { makeWorld } from '../support/seed.js';
import { expectFault, pathsIn, show } from './case-count.js';
import { hostileBodies, hostileQueries } from './hostile-inputs.js';
import { app, callerOf, SUBJECTS, pathOf, send, seedOf } from './subject.js';
import { tableDigest } from './table-digest.js';

describe('hostile input', () => {
  for (const subject of SUBJECTS) {
    const { title } = subject;
    it(`${title}: is refused with the names of all invalid fields`, async () => {
      const world = await makeWorld(app);
      const call = await seedOf(subject, world);
      const api = await callerOf(subject, world, call);
      const unchanged = await tableDigest(app);
      for (const input of [...hostileBodies(subject, call.body), ...hostileQueries(subject)]) {
        const query = [call.query, input.query].filter((part) => part !== undefined).join('&');
        const path = pathOf(subject, world.workspaceId, query === '' ? call : { ...call, query });
        const body = 'body' in input ? input.body : call.body;
        const answer = await send(subject, world, call, {
          api,
          path,
          body,
          ...(input.headers ? { headers: input.headers } : {}),
        });
        expectFault(input.what, answer, input.status, input.error);
        const reported = pathsIn(answer);
        const missed = (input.names ?? []).filter((name) => !reported.some((path) => isWithin(path, name)));
        expect(missed, `${input.what}: not named in ${show(answer)}`).to.deep.equal([]);
      }
      expect(await tableDigest(app), 'a refusal changes nothing').to.equal(unchanged);
    });
  }
});

function isWithin(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}

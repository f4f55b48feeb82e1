import { expect } from 'chai';
import { ROLES, roleAllows } from '@watchpost/control-plane/platform/identity/caller';
import { SCOPES } from '@watchpost/control-plane/platform/http/scopes';
import { makeWorld, nobodysId, type World } from '../support/seed.js';
import { countCases, expectFault, show } from './case-count.js';
import { app, GUARDED, paramsOf, send } from './subject.js';

/** The scopes that imply others, from the interface documents. */
const IMPLIED: Readonly<Record<string, readonly string[]>> = {
  'monitor.admin': ['monitor.write', 'monitor.read'],
  'monitor.write': ['monitor.read'],
  'incident.write': ['incident.read'],
  'statuspage.write': ['statuspage.read'],
  'alert.write': ['alert.read'],
  'account.write': ['account.read'],
  'user.write': ['user.read'],
};
const ALL = Object.keys(SCOPES);

describe('the permissions of roles and scopes', () => {
  let world: World;
  before(async () => {
    world = await makeWorld(app);
  });

  for (const subject of GUARDED) {
    const { title, route } = subject;
    const { role, scopes } = route;
    if (scopes === 'anonymous') continue;
    const nowhere = { params: Object.fromEntries(paramsOf(subject).map((name) => [name, nobodysId()])) };

    it(`${title}: requires ${role ?? 'any role'} and the scope ${scopes.join(' or ')}`, async () => {
      const isDeletion = subject.route.method === 'delete' && paramsOf(subject).length === 0;
      const place = isDeletion ? await makeWorld(app) : world;
      for (const scope of [...ALL, null]) {
        const held = scope === null ? [] : [scope, ...(IMPLIED[scope] ?? [])];
        const api = place.as(await place.member('Viewer'), { scope });
        const answer = await send(subject, place, nowhere, { api });
        if (!held.some((one) => scopes.includes(one))) {
          expectFault(`a token with ${scope}`, answer, 403, 'insufficient_scope');
          expect(answer.headers.get('www-authenticate')).to.match(/error="insufficient_scope".*scope="/);
        } else {
          countCases();
          expect(answer.body.error, `a token with ${scope}: ${show(answer)}`).to.not.equal('insufficient_scope');
        }
      }
      if (role === null) return;
      for (const held of ROLES) {
        const answer = await send(subject, place, nowhere, { api: (await place.member(held)).api });
        if (!roleAllows(held, role)) expectFault(held, answer, 403, 'insufficient_workspace_role');
        else {
          countCases();
          expect(answer.status, `${held}: ${show(answer)}`).to.not.equal(403);
        }
      }
    });
  }
});

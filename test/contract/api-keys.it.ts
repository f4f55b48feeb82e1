import { expect } from 'chai';
import { SCOPES } from '@watchpost/control-plane/platform/http/scopes';
import type { Api } from '../support/product.js';
import { create, makeWorld, nobodysId, type World } from '../support/seed.js';
import { countCases, expectFault } from './case-count.js';
import { app, description, GUARDED, paramsOf, pathOf, send } from './subject.js';

/** What no key may do, from the interface documents; reading an invitation that is answered, and ending sessions. */
const NEVER_WITH_A_KEY = new Set([
  'POST /api/v1/api-keys',
  'DELETE /api/v1/api-keys/{id}',
  'PUT /api/v1/user/{id}',
  'DELETE /api/v1/user/{id}',
  'DELETE /api/v1/user/sessions',
  'DELETE /api/v1/user/sessions/{id}',
  'PUT /api/v1/user/{userId}/trial',
  'POST /api/v1/workspaces',
  'DELETE /api/v1/workspaces/{id}',
  'POST /api/v1/workspaces/{id}/transfer-ownership',
  'POST /api/v1/invitations/accept',
  'POST /api/v1/invitations/decline',
  'GET /api/v1/invitation-links/{token}',
]);

describe('the use of an API key', () => {
  let world: World;
  let elsewhere: World;
  let withKey: Api;
  before(async () => {
    [world, elsewhere] = [await makeWorld(app), await makeWorld(app)];
    withKey = await keyOf(world);
    // The owner of the key is a member there, too.
    const { workspaceId } = elsewhere;
    await app.sql(
      `INSERT INTO workspace_member (id, workspace_id, user_id, role, joined, last_used)
       VALUES ($1, $2, $3, 'Admin', $4, $4)`,
      [nobodysId(), workspaceId, world.owner.userId, new Date(app.clock.now())],
    );
  });

  async function keyOf({ as, owner }: World): Promise<Api> {
    // No token of the suite holds this one, which implies the scopes of all others of its domain.
    const scopes = Object.keys(SCOPES);
    const { key } = await create<{ key: string }>(as(owner, { scope: scopes.join(' ') }), '/api/v1/api-keys', {
      name: 'All',
      scopes,
    });
    return app.withToken(key);
  }

  it('is refused by every operation that the interface documents exclude, and by no other', () => {
    const titles = GUARDED.filter(({ route }) => route.apiKeys === false).map(({ title }) => title);
    expect(titles.toSorted()).to.deep.equal([...NEVER_WITH_A_KEY].toSorted());
  });

  for (const subject of GUARDED) {
    const { title, route } = subject;
    const call = { params: Object.fromEntries(paramsOf(subject).map((name) => [name, nobodysId()])) };

    it(`${title}: ${NEVER_WITH_A_KEY.has(title) ? 'no key may do this' : 'a key with the scope may do this'}`, async () => {
      const operation = description.paths![route.path]![route.method]!;
      const schemes = (operation.security ?? []).flatMap((one) => Object.keys(one));
      expect(schemes.includes('apiKey'), 'the description').to.equal(!NEVER_WITH_A_KEY.has(title));
      if (NEVER_WITH_A_KEY.has(title)) {
        const answer = await send(subject, world, call, { api: withKey });
        expectFault(title, answer, 403, 'insufficient_scope');
        return;
      }
      const isDeletion = route.method === 'delete' && paramsOf(subject).length === 0;
      const place = isDeletion ? await makeWorld(app) : world;
      const api = isDeletion ? await keyOf(place) : withKey;
      const answer = await send(subject, place, call, { api });
      countCases();
      expect(answer.body?.error).not.to.be.oneOf(['insufficient_scope', 'invalid_token', 'no_workspace_context']);
      if (route.workspaceParam !== undefined) {
        const path = pathOf(subject, elsewhere.workspaceId, call);
        expectFault('another workspace', await send(subject, place, call, { api, path }), 404, 'not_found');
      } else if (route.role !== null) {
        const headers = { 'x-workspace-id': elsewhere.workspaceId };
        expectFault('another', await send(subject, place, call, { api, headers }), 403, 'no_workspace_context');
      }
    });
  }
});

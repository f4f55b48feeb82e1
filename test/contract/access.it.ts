import { expect } from 'chai';
import { nobodysId, makeWorld, type World } from '../support/seed.js';
import { expectFault, expectStatus } from './case-count.js';
import { app, GUARDED, pathOf, paramsOf, send, type Subject } from './subject.js';

/** A call that reaches the checks of the caller, which precede those of its input. */
const nowhere = (subject: Subject) => ({
  params: Object.fromEntries(paramsOf(subject).map((name) => [name, nobodysId()])),
});

describe('the caller of a request', () => {
  let world: World;
  let foreign: World;
  let refused: { what: string; token: string }[];
  before(async () => {
    [world, foreign] = await Promise.all([makeWorld(app), makeWorld(app)]);
    const sub = world.owner.sub;
    const good = await app.token(sub);
    const [head, , signature] = good.split('.');
    const claims = Buffer.from(
      JSON.stringify({ iss: app.issuer.issuer, aud: app.issuer.audience, sub, exp: 99_999_999_999 }),
    );
    refused = [
      { what: 'garbage', token: 'garbage' },
      {
        what: 'an expired token',
        token: await app.issuer.token({ sub, claims: { exp: app.clock.now() / 1000 - 3_600 } }),
      },
      { what: 'a token of another audience', token: await app.issuer.token({ sub, claims: { aud: 'another' } }) },
      {
        what: 'a token of another issuer',
        token: await app.issuer.token({ sub, claims: { iss: 'https://elsewhere.example' } }),
      },
      { what: 'a token with another content', token: `${head}.${claims.toString('base64url')}.${signature}` },
    ];
  });

  it('a 401 refers to the metadata that names the issuer of tokens', async () => {
    const without = await app.anonymous('GET', '/api/v1/monitor');
    const [, url] = /resource_metadata="([^"]+)"/.exec(without.headers.get('www-authenticate') ?? '') ?? [];
    const metadata = await app.anonymous('GET', new URL(url!).pathname);
    expectStatus('the metadata', metadata, 200);
    expect(metadata.body).to.deep.include({
      authorization_servers: [app.issuer.issuer],
      resource: new URL(url!).origin,
    });
    expect(metadata.body.scopes_supported).to.include.members(['monitor.admin', 'account.read']);
  });

  for (const subject of GUARDED) {
    const { title, route } = subject;
    const method = route.method.toUpperCase();

    it(`${title}: a missing or invalid token is refused`, async () => {
      const path = pathOf(subject, world.workspaceId, nowhere(subject));
      const without = await app.anonymous(method, path);
      expectFault('no token', without, 401, 'missing_token');
      expect(without.headers.get('www-authenticate')).to.match(/^Bearer .*resource_metadata="/);
      for (const { what, token } of refused) {
        const answer = await app.withToken(token)(method, path);
        expectFault(what, answer, 401, 'invalid_token');
        expect(answer.headers.get('www-authenticate'), what).to.match(/^Bearer .*error="invalid_token"/);
      }
    });

    if (route.role === null) continue;
    if (route.workspaceParam === undefined) {
      it(`${title}: a caller without a workspace is refused`, async () => {
        const call = nowhere(subject);
        const api = world.api;
        for (const [what, id] of [
          ['foreign', foreign.workspaceId],
          ['unknown', nobodysId()],
          ['malformed', 'x'],
        ] as const) {
          const answer = await send(subject, world, call, { api, headers: { 'x-workspace-id': id } });
          expectFault(`${what} X-Workspace-Id`, answer, 403, 'no_workspace_context');
        }
        const homeless = await homelessUser();
        expectFault(
          'no workspace at all',
          await send(subject, world, call, { api: homeless.api }),
          403,
          'no_workspace_context',
        );
      });
    } else {
      it(`${title}: a foreign or missing workspace is refused`, async () => {
        for (const id of [foreign.workspaceId, nobodysId(), 'x', '%00']) {
          const path = pathOf(subject, id, nowhere(subject)).replace('%2500', '%00');
          expectFault(id, await world.api(method, path), 404, 'not_found');
        }
        const viaHeader = await send(subject, world, nowhere(subject), { api: foreign.api });
        expectFault('the header does not count', viaHeader, 404, 'not_found');
      });
    }

    it(`${title}: a suspended member is refused`, async () => {
      const suspended = await suspendedMember();
      expectFault(
        'suspended',
        await send(subject, world, nowhere(subject), { api: suspended }),
        403,
        'member_suspended',
      );
    });
  }

  it('every authorization scheme but Bearer is refused with 401', async () => {
    for (const authorization of ['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer  ', 'bearer a b', 'Token x']) {
      const answer = await app.anonymous('GET', '/api/v1/user', undefined, { authorization });
      expectStatus(authorization, answer, 401);
    }
  });

  const homelessUser = once(async () => {
    const user = await app.user();
    await app.sql('DELETE FROM workspace_member WHERE user_id = $1', [user.userId]);
    await app.sql('DELETE FROM workspace WHERE owner_id = $1', [user.userId]);
    return user;
  });
  const suspendedMember = once(async () => {
    const member = await world.member('Admin');
    await app.sql(`UPDATE workspace_member SET status = 'suspended' WHERE id = $1`, [member.memberId]);
    return member.api;
  });
});

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

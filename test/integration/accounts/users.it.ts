import { expect } from 'chai';
import type { TestUser } from '../../support/app.js';
import { makeWorld, nobodysId, seedMonitor, type World } from '../../support/seed.js';
import { appForSuite } from '../../support/suite.js';

describe('An account', () => {
  const app = appForSuite();

  async function invite(world: World, guest: TestUser): Promise<string> {
    const invitation = { email: guest.email, role: 'Admin' };
    const { body } = await world.api('POST', `/api/v1/workspaces/${world.workspaceId}/invitations`, invitation);
    return new URL(body.link).searchParams.get('token')!;
  }

  it('is made by the request that first brings a token, which alone gets 201', async () => {
    const api = app.as('newcomer');
    const first = await api('POST', '/api/v1/user', { name: 'Nora' });
    expect([first.status, first.body.name, first.headers.get('location')]).to.deep.equal([201, 'Nora', '/api/v1/user']);
    const second = await api('POST', '/api/v1/user', { name: 'Other' });
    expect([second.status, second.body]).to.deep.equal([200, first.body]);
    expect((await api('GET', '/api/v1/workspaces')).body[0]).to.include({ isPersonal: true, role: 'Owner' });
  });

  it('is made once, however many requests come first at once, and needs no body', async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => app.as('crowd')('POST', '/api/v1/user')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.id)).size).to.equal(1);
  });

  it('is there already where another request came first', async () => {
    const user = await app.user();
    expect((await user.api('POST', '/api/v1/user')).status).to.equal(200);
  });

  it("has a name that its holder changes; the email is the provider's", async () => {
    const user = await app.user();
    const path = `/api/v1/user/${user.userId}`;
    const { status, body, headers } = await user.api('PUT', path, { name: 'Zoë', email: user.email.toUpperCase() });
    expect([status, body.name, body.email]).to.deep.equal([200, 'Zoë', user.email]);
    expect((await user.api('PUT', path, {})).body.name).to.equal('Zoë');
    const other = await user.api('PUT', path, { email: 'other@example.test' });
    expect([other.status, other.body.details[0].path]).to.deep.equal([400, 'email']);
    expect((await user.api('PUT', path, { plan: 'Pro' })).status).to.equal(400);
    const tag = { 'if-match': headers.get('etag')! };
    expect((await user.api('PUT', path, { name: 'Z' }, tag)).status).to.equal(200);
    expect((await user.api('PUT', path, { name: 'Y' }, tag)).status).to.equal(412);
  });

  it("is nobody else's: another's is not found, as one that there is not", async () => {
    const [user, other] = [await app.user(), await app.user()];
    for (const id of [other.userId, nobodysId()]) {
      expect((await user.api('PUT', `/api/v1/user/${id}`, { name: 'X' })).status).to.equal(404);
      expect((await user.api('DELETE', `/api/v1/user/${id}`)).status).to.equal(404);
      expect((await user.api('GET', `/api/v1/user/${id}/trial`)).status).to.equal(404);
      expect((await user.api('PUT', `/api/v1/user/${id}/trial`, { plan: 'Pro' })).status).to.equal(404);
    }
    expect((await other.api('GET', '/api/v1/user')).body.name).to.equal(`The ${other.sub}`);
  });

  describe('that is deleted', () => {
    it('goes with its personal workspace and its memberships; the next request makes another', async () => {
      const world = await makeWorld(app);
      const viewer = await world.member('Viewer');
      const { id } = await seedMonitor({ api: app.as(viewer.sub, { workspaceId: viewer.workspaceId }) });
      expect((await viewer.api('DELETE', `/api/v1/user/${viewer.userId}`)).status).to.equal(204);
      const deleted_at = await app.value<Date | null>('SELECT deleted_at FROM monitor WHERE id = $1', [id]);
      expect(deleted_at).not.to.equal(null);
      expect(await app.sql('SELECT FROM workspace WHERE id = $1', [viewer.workspaceId])).to.deep.equal([]);
      expect((await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/members`)).body).to.have.length(1);
      const again = await app.as(viewer.sub)('POST', '/api/v1/user');
      expect(again.status).to.equal(201);
      expect(again.body.id).not.to.equal(viewer.userId);
      expect((await app.as(viewer.sub)('DELETE', `/api/v1/user/${viewer.userId}`)).status).to.equal(404);
    });

    it('stays while it owns a workspace with other members, whatever else it owns', async () => {
      const world = await makeWorld(app);
      await world.member('Viewer');
      const refused = await world.owner.api('DELETE', `/api/v1/user/${world.owner.userId}`);
      expect([refused.status, refused.body.error]).to.deep.equal([409, 'last_owner']);
      expect(await app.sql('SELECT FROM workspace WHERE owner_id = $1', [world.owner.userId])).to.have.length(2);
      await world.api('DELETE', `/api/v1/workspaces/${world.workspaceId}`);
      expect((await world.owner.api('DELETE', `/api/v1/user/${world.owner.userId}`)).status).to.equal(204);
    });

    it('does not leave a member behind who joins at the same time', async () => {
      const world = await makeWorld(app);
      const guest = await app.user();
      const token = await invite(world, guest);
      const [joined, deleted] = await Promise.all([
        guest.api('POST', '/api/v1/invitations/accept', { token }),
        world.owner.api('DELETE', `/api/v1/user/${world.owner.userId}`),
      ]);
      expect([`${joined.status} ${deleted.status}`]).to.include.oneOf(['200 409', '404 204']);
    });

    it('and its guest go once each when both leave at once', async () => {
      const world = await makeWorld(app);
      const guest = await app.user();
      const token = await invite(world, guest);
      const [joined, gone] = await Promise.all([
        guest.api('POST', '/api/v1/invitations/accept', { token }),
        guest.api('DELETE', `/api/v1/user/${guest.userId}`),
      ]);
      expect(gone.status).to.equal(204);
      expect(joined.status).to.be.oneOf([200, 404]);
      expect(await app.sql('SELECT FROM workspace_member WHERE user_id = $1', [guest.userId])).to.deep.equal([]);
    });
  });

  describe('keeps preferences', () => {
    const path = '/api/v1/user/preferences';

    it('that are empty at first, and merged by RFC 7396', async () => {
      const { api } = await app.user();
      expect((await api('GET', path)).body).to.deep.equal({});
      await api('PATCH', path, { theme: 'dark', table: { pageSize: 50, columns: ['name', 'url'] } });
      const { body } = await api('PATCH', path, { theme: null, table: { columns: ['name'] }, odd: 1.5 });
      expect(body).to.deep.equal({ table: { pageSize: 50, columns: ['name'] }, odd: 1.5 });
      expect((await api('GET', path)).body).to.deep.equal(body);
    });

    it('of which none is lost when two are set at once', async () => {
      const { api } = await app.user();
      await Promise.all(Array.from({ length: 8 }, (_, n) => api('PATCH', path, { [`key${n}`]: n })));
      expect(Object.keys((await api('GET', path)).body)).to.have.length(8);
    });

    it('of 64 KiB at most, as a whole', async () => {
      const { api } = await app.user();
      expect((await api('PATCH', path, { a: 'x'.repeat(40_000) })).status).to.equal(200);
      const { status, body } = await api('PATCH', path, { b: 'é'.repeat(20_000) });
      expect([status, body.error]).to.deep.equal([413, 'payload_too_large']);
      expect(Object.keys((await api('GET', path)).body)).to.deep.equal(['a']);
      expect((await api('PATCH', path, { a: null, b: 'é'.repeat(20_000) })).status).to.equal(200);
    });

    it('that are an object', async () => {
      const { api } = await app.user();
      for (const body of ['[]', '1', '"x"', 'null']) expect((await api('PATCH', path, body)).status).to.equal(400);
    });
  });
});

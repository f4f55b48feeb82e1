import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { DAY_MS } from '@watchpost/shared/time';
import { purgeInvitations } from '@watchpost/control-plane/capabilities/workspaces/index';
import type { Api } from '../../support/product.js';
import { create, makeWorld, nobodysId, type World } from '../../support/seed.js';
import { appForSuite, startedForEach, worldForEach } from '../../support/suite.js';

describe('An invitation', () => {
  const app = appForSuite();
  const world = worldForEach(app);
  const ann = startedForEach(() => app.user());
  let base: string;

  beforeEach(() => {
    base = `/api/v1/workspaces/${world.workspaceId}/invitations`;
  });

  async function invite(email: string = ann.email, role = 'Editor', by: Api = world.api) {
    const { status, body, headers } = await by('POST', base, { email, role });
    expect(status, JSON.stringify(body)).to.equal(201);
    return { ...body, token: new URL(body.link).searchParams.get('token')!, etag: headers.get('etag')! };
  }
  const accept = (token: string, by: Api = ann.api) => by('POST', '/api/v1/invitations/accept', { token });
  const decline = (token: string, by: Api = ann.api) => by('POST', '/api/v1/invitations/decline', { token });

  it('makes the person who accepts it a member with the invited role', async () => {
    const { token, id } = await invite();
    const { status, body } = await accept(token);
    expect([status, body.id, body.role]).to.deep.equal([200, world.workspaceId, 'Editor']);
    const { body: monitor } = await world.as(ann)('POST', '/api/v1/monitor', { url: 'https://a.example/' });
    expect(monitor.workspaceId).to.equal(world.workspaceId);
    expect((await world.api('GET', `${base}/${id}`)).body.status).to.equal('accepted');
    expect((await world.api('GET', base)).body).to.deep.equal([]);
  });

  it('shows those who have its link what it offers, and that it is for somebody else', async () => {
    const { token } = await invite();
    const look = async (by: Api) => (await by('GET', `/api/v1/invitation-links/${token}`)).body;
    const offer = { workspaceId: null, workspaceName: 'Acme', role: 'Editor', status: 'pending' };
    expect(await look(ann.api)).to.include({ ...offer, email: ann.email, isForYou: true });
    const other = await app.user();
    const masked = `${ann.email[0]}…${ann.email.slice(ann.email.indexOf('@'))}`;
    expect(await look(other.api)).to.include({ ...offer, email: masked, isForYou: false });
    await accept(token);
    expect(await look(ann.api)).to.include({ workspaceId: world.workspaceId, status: 'accepted' });
    expect(await look(other.api)).to.include({ workspaceId: null, status: 'accepted' });
    expect((await ann.api('GET', '/api/v1/invitation-links/none')).status).to.equal(404);
  });

  it('has a link for seven days, of which only a digest is kept', async () => {
    const invitation = await invite(ann.email.toUpperCase());
    expect(Buffer.from(invitation.token, 'base64url')).to.have.length(32);
    expect(invitation).to.include({ email: ann.email, status: 'pending', invitedBy: world.owner.userId });
    expect(Date.parse(invitation.expiresAt)).to.equal(app.clock.now() + 7 * DAY_MS);
    const { body } = await world.api('GET', base);
    expect(body).to.have.length(1);
    expect(body[0]).not.to.have.property('link');
    const [row] = await app.sql<{ tokenHash: Buffer; text: string }>(
      'SELECT token_hash AS "tokenHash", invitation::text AS text FROM invitation WHERE id = $1',
      [invitation.id],
    );
    expect(row!.tokenHash.equals(createHash('sha256').update(invitation.token).digest())).to.equal(true);
    expect(row!.text).not.to.include(invitation.token);
  });

  it('is accepted once, however many accept at once', async () => {
    const { token } = await invite();
    const answers = await Promise.all(Array.from({ length: 6 }, () => accept(token)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([200, 409, 409, 409, 409, 409]);
    for (const { status, body } of answers) if (status === 409) expect(body.error).to.equal('invitation_not_pending');
    const members = await app.sql('SELECT FROM workspace_member WHERE workspace_id = $1', [world.workspaceId]);
    expect(members).to.have.length(2);
  });

  it('is either accepted or declined, whichever comes first', async () => {
    const { token } = await invite();
    const answers = await Promise.all([accept(token), decline(token)]);
    expect(answers.filter(({ status }) => status === 409)).to.have.length(1);
    const [invitation] = await app.sql<{ status: string }>('SELECT status FROM invitation WHERE workspace_id = $1', [
      world.workspaceId,
    ]);
    const members = await app.sql('SELECT FROM workspace_member WHERE workspace_id = $1', [world.workspaceId]);
    expect(members).to.have.length(invitation!.status === 'accepted' ? 2 : 1);
  });

  it('is no more once it is declined', async () => {
    const { token } = await invite();
    expect((await decline(token)).status).to.equal(204);
    expect((await accept(token)).body.error).to.equal('invitation_not_pending');
  });

  it('expires after seven days, and then answers that a new link is needed', async () => {
    const { token, id } = await invite();
    const expiresInMs = 7 * DAY_MS;
    app.clock.advance(expiresInMs - 1);
    expect((await world.api('GET', `${base}/${id}`)).body.status).to.equal('pending');
    app.clock.advance(1);
    for (const answer of [await accept(token), await decline(token)]) {
      expect([answer.status, answer.body.error]).to.deep.equal([410, 'invitation_expired']);
      expect(answer.body.message).to.contain('ask for a new link');
    }
    const page = await app.anonymous('GET', `/invitations/accept?token=${token}`);
    expect(page.body).to.contain('This invitation is expired').and.to.contain('for a new link');
    expect((await world.api('GET', `${base}/${id}`)).body.status).to.equal('expired');
  });

  it('that expired stays in the list, and a new link makes it pending again', async () => {
    const expired = await invite();
    app.clock.advance(7 * DAY_MS);
    const listed = await world.api('GET', base);
    expect(listed.body.map(({ id, status }: Record<string, string>) => [id, status])).to.deep.equal([
      [expired.id, 'expired'],
    ]);
    expect(listed.headers.get('x-total-count')).to.equal('1');
    const { status, body } = await world.api('POST', `${base}/${expired.id}/regenerate-link`);
    expect([status, body.id, body.status]).to.deep.equal([200, expired.id, 'pending']);
    expect(Date.parse(body.expiresAt)).to.equal(app.clock.now() + 7 * DAY_MS);
    expect((await accept(expired.token)).status).to.equal(404);
    expect((await accept(new URL(body.link).searchParams.get('token')!)).body.role).to.equal('Editor');
  });

  it('that expired can be revoked, and is then not listed', async () => {
    const { id, token } = await invite();
    app.clock.advance(7 * DAY_MS);
    expect((await world.api('DELETE', `${base}/${id}`)).status).to.equal(204);
    expect((await world.api('DELETE', `${base}/${id}`)).status).to.equal(404);
    expect((await world.api('GET', base)).body).to.deep.equal([]);
    expect((await accept(token)).body.error).to.equal('invitation_not_pending');
  });

  it('that expired is replaced by another one to the same address', async () => {
    const expired = await invite();
    app.clock.advance(7 * DAY_MS);
    const second = await invite(ann.email, 'Viewer');
    expect((await world.api('GET', base)).body.map(({ id }: { id: string }) => id)).to.deep.equal([second.id]);
    expect((await world.api('GET', `${base}/${expired.id}`)).body.status).to.equal('revoked');
    const again = await world.api('POST', `${base}/${expired.id}/regenerate-link`);
    expect([again.status, again.body.error]).to.deep.equal([409, 'invitation_not_pending']);
  });

  it('that expired is kept for good; one that was answered is purged after 90 days', async () => {
    const { id } = await invite();
    const { id: answered, token } = await invite('other@example.test');
    await decline(token, app.withToken(await app.issuer.token({ sub: 'unverified-two', expiresIn: 10 ** 9 })));
    app.clock.advance(90 * DAY_MS);
    await purgeInvitations(app);
    expect((await world.api('GET', `${base}/${answered}`)).status).to.equal(200);
    app.clock.advance(1);
    await purgeInvitations(app);
    expect((await world.api('GET', `${base}/${answered}`)).status).to.equal(404);
    app.clock.advance(1_000 * DAY_MS);
    await purgeInvitations(app);
    expect((await world.api('POST', `${base}/${id}/regenerate-link`)).body.status).to.equal('pending');
  });

  it('is only for the one invited, as far as their email is verified', async () => {
    const { token } = await invite();
    const stranger = await app.user();
    for (const answer of [await accept(token, stranger.api), await decline(token, stranger.api)]) {
      expect([answer.status, answer.body.error]).to.deep.equal([403, 'not_invited']);
    }
    const nobody = app.withToken(
      await app.issuer.token({ sub: 'unverified', expiresIn: 10 ** 8, claims: { email: 'who@example.test' } }),
    );
    expect((await accept(token, nobody)).status).to.equal(200);
  });

  it('is refused to members, with a reason', async () => {
    const viewer = await world.member('Viewer');
    const refused = await world.api('POST', base, { email: viewer.email.toUpperCase(), role: 'Admin' });
    expect([refused.status, refused.body.error]).to.deep.equal([409, 'already_member']);
    const { token } = await invite('somebody@example.test');
    // The first request brings a verified email.
    await viewer.api('GET', '/api/v1/user');
    await app.sql('UPDATE user_account SET email_verified = false WHERE id = $1', [viewer.userId]);
    expect((await accept(token, app.as(viewer.sub))).body.error).to.equal('already_member');
  });

  it('has one working link: a new one makes the old one useless at once', async () => {
    const first = await invite();
    app.clock.advance(DAY_MS);
    const { status, body } = await world.api('POST', `${base}/${first.id}/regenerate-link`);
    expect([status, body.id]).to.deep.equal([200, first.id]);
    expect(Date.parse(body.expiresAt)).to.equal(app.clock.now() + 7 * DAY_MS);
    expect((await accept(first.token)).status).to.equal(404);
    expect((await accept(new URL(body.link).searchParams.get('token')!)).status).to.equal(200);
  });

  it('takes the place of a pending one to the same address', async () => {
    const first = await invite();
    const second = await invite(ann.email, 'Viewer');
    expect((await accept(first.token)).body.error).to.equal('invitation_not_pending');
    expect((await world.api('GET', base)).body.map(({ id }: { id: string }) => id)).to.deep.equal([second.id]);
    expect((await accept(second.token)).body.role).to.equal('Viewer');
  });

  it('to one address is one, however many invite it at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => world.api('POST', base, { email: ann.email, role: 'Viewer' })),
    );
    expect(answers.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201, 201]);
    expect((await world.api('GET', base)).headers.get('x-total-count')).to.equal('1');
  });

  it('can be revoked while it is pending, and is then gone', async () => {
    const { id, token } = await invite();
    expect((await world.api('DELETE', `${base}/${id}`)).status).to.equal(204);
    expect((await world.api('DELETE', `${base}/${id}`)).status).to.equal(404);
    expect((await accept(token)).body.error).to.equal('invitation_not_pending');
    expect((await world.api('POST', `${base}/${id}/regenerate-link`)).body.error).to.equal('invitation_not_pending');
  });

  it('is managed by Admins, and gives no role above theirs', async () => {
    for (const role of ['Viewer', 'Responder', 'Editor'] as const) {
      const member = await world.member(role);
      expect((await member.api('POST', base, { email: ann.email, role: 'Viewer' })).status).to.equal(403);
      expect((await member.api('GET', base)).status).to.equal(403);
    }
    const admin = await world.member('Admin');
    await invite(ann.email, 'Admin', admin.api);
    const owner = await admin.api('POST', base, { email: ann.email, role: 'Owner' });
    expect([owner.status, owner.body.details[0].path]).to.deep.equal([400, 'role']);
  });

  it('is not there for another workspace', async () => {
    const { id } = await invite();
    const foreign = await makeWorld(app);
    const elsewhere = `/api/v1/workspaces/${foreign.workspaceId}/invitations/${id}`;
    for (const answer of [
      await foreign.api('GET', elsewhere),
      await foreign.api('DELETE', elsewhere),
      await foreign.api('POST', `${elsewhere}/regenerate-link`),
      await foreign.api('GET', base),
    ]) {
      expect(answer.status).to.equal(404);
    }
  });

  it('is found by no token but its own', async () => {
    await invite();
    for (const token of ['x', 'A'.repeat(43), '../../etc/passwd', "' OR 1=1 --"]) {
      expect((await accept(token)).status).to.equal(404);
    }
    expect((await accept('')).status).to.equal(400);
  });

  it('is not sent to one address without end', async () => {
    const { id } = await invite();
    for (let link = 2; link <= 10; link++) {
      expect((await world.api('POST', `${base}/${id}/regenerate-link`)).status).to.equal(200);
    }
    const eleventh = await world.api('POST', `${base}/${id}/regenerate-link`);
    expect([eleventh.status, eleventh.body.error]).to.deep.equal([429, 'rate_limited']);
    expect((await world.api('POST', base, { email: ann.email, role: 'Viewer' })).status).to.equal(429);
    app.clock.advance(DAY_MS + 1);
    expect((await world.api('POST', `${base}/${id}/regenerate-link`)).status).to.equal(200);
    await invite();
  });

  it('is not sent to one address more often for the workspaces that an owner makes and deletes', async () => {
    for (let made = 0; made < 10; made++) {
      const workspace = await create(world.api, '/api/v1/workspaces', { name: `Team ${made}` });
      const path = `/api/v1/workspaces/${workspace.id}`;
      await create(world.api, `${path}/invitations`, { email: ann.email, role: 'Viewer' });
      expect((await world.api('DELETE', path)).status).to.equal(204);
    }
    const eleventh = await world.api('POST', base, { email: ann.email, role: 'Viewer' });
    expect([eleventh.status, eleventh.body.error]).to.deep.equal([429, 'rate_limited']);
  });

  it('is limited in its links for a day, also under concurrent requests of several workspaces', async () => {
    const outcomesOf = async (requests: Promise<{ status: number }>[]) =>
      (await Promise.all(requests)).map(({ status }) => status).toSorted((a, b) => a - b);
    const seedLinks = (count: number, link: { email: string | null; userId: string }) =>
      app.sql(
        `INSERT INTO invitation_link (email, owner_id, invited_by, created)
         SELECT coalesce($2::text, n || '@example.test'), gen_random_uuid(), $3, $4 FROM generate_series(1, $1::integer) AS n`,
        [count, link.email, link.userId, new Date(app.clock.now())],
      );
    const invited = (by: World, workspaceId: string, email: string) =>
      by.api('POST', `/api/v1/workspaces/${workspaceId}/invitations`, { email, role: 'Viewer' });

    await seedLinks(199, { email: null, userId: world.owner.userId });
    const names = ['One', 'Two', 'Three', 'Four', 'Five'];
    const workspaces = await Promise.all(names.map((name) => create(world.api, '/api/v1/workspaces', { name })));
    const ofInviter = workspaces.map(({ id }, n) => invited(world, id, `guest-${n}-of-${id}@example.test`));
    expect(await outcomesOf(ofInviter)).to.deep.equal([201, 429, 429, 429, 429]);

    await seedLinks(49, { email: ann.email, userId: nobodysId() });
    const others = await Promise.all(names.map(() => makeWorld(app)));
    const ofAddress = others.map((other) => invited(other, other.workspaceId, ann.email));
    expect(await outcomesOf(ofAddress)).to.deep.equal([201, 429, 429, 429, 429]);
  });

  it('is limited to a hundred, also under concurrent requests', async () => {
    await app.sql(
      `INSERT INTO invitation (id, workspace_id, email, role, invited_by, token_hash, expires_at, created, last_modified)
       SELECT gen_random_uuid(), $1::uuid, n || '@example.test', 'Viewer', $2, sha256((n || $1::uuid::text)::bytea), $3, $4, $4
       FROM generate_series(1, 98) AS n`,
      [world.workspaceId, world.owner.userId, new Date(app.clock.now() + DAY_MS), new Date(app.clock.now())],
    );
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, n) => world.api('POST', base, { email: `new-${n}@example.test`, role: 'Viewer' })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).to.deep.equal([201, 201, 403, 403, 403]);
    expect(answers.find(({ status }) => status === 403)!.body.error).to.equal('plan_limit_exceeded');
  });

  it('is one of a thousand at most that are listed, and one that expired can be regenerated even then', async () => {
    await app.sql(
      `INSERT INTO invitation (id, workspace_id, email, role, invited_by, token_hash, expires_at, created, last_modified)
       SELECT gen_random_uuid(), $1::uuid, n || '@example.test', 'Viewer', $2, sha256((n || $1::uuid::text)::bytea), $3, $3, $3
       FROM generate_series(1, 1000) AS n`,
      [world.workspaceId, world.owner.userId, new Date(app.clock.now() - 8 * DAY_MS)],
    );
    const refused = await world.api('POST', base, { email: ann.email, role: 'Viewer' });
    expect([refused.status, refused.body.error]).to.deep.equal([403, 'plan_limit_exceeded']);
    const { body } = await world.api('GET', base);
    expect((await world.api('POST', `${base}/${body[0].id}/regenerate-link`)).status).to.equal(200);
    expect((await world.api('DELETE', `${base}/${body[1].id}`)).status).to.equal(204);
    expect((await world.api('POST', base, { email: ann.email, role: 'Viewer' })).status).to.equal(201);
  });
});

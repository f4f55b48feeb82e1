import { expect } from 'chai';
import { HOUR_MS } from '@watchpost/shared/time';
import type { Api } from '../support/product.js';
import { create, type World } from '../support/seed.js';
import { startedForSuite } from '../support/suite.js';
import { breakDown, type Person, startStage } from './stage.js';

const NEW = 'ann.new@example.test';

describe('a user whose email address changes at the identity provider', () => {
  const stage = startedForSuite(() => startStage());
  let world: World;
  let ann: Person;
  let withNewEmail: Api;

  before(async () => {
    world = await stage.newWorld();
    ann = await stage.join(world, 'ann');
    const iat = Math.floor(Date.now() / 1_000) + 60;
    const claims = { email: NEW, email_verified: true, name: 'Ann', iat };
    withNewEmail = stage.app.withToken(await stage.app.issuer.token({ sub: ann.sub, expiresIn: 10 ** 9, claims }));
  });

  it('has the new address from the first request with a new token on', async () => {
    const path = `/api/v1/user/${ann.userId}`;
    const refused = await ann.api('PUT', path, { email: NEW });
    expect([refused.status, refused.body.message]).to.deep.equal([
      400,
      'Change your email where you sign in: it comes from your OpenID provider.',
    ]);
    expect((await withNewEmail('GET', '/api/v1/user')).body).to.include({ id: ann.userId, email: NEW });
    expect(
      (await ann.api('GET', '/api/v1/user')).body.email,
      'the older token does not restore the old address',
    ).to.equal(NEW);
    expect((await withNewEmail('PUT', path, { email: NEW })).status).to.equal(200);
    const { body: members } = await world.api('GET', `/api/v1/workspaces/${world.workspaceId}/members`);
    expect(members.find(({ userId }: { userId: string }) => userId === ann.userId).email).to.equal(NEW);
  });

  it('is paged at the new address', async () => {
    const site = await stage.watch(world);
    await stage.routeTo(world, site, { turns: [ann] });
    await breakDown(stage, world, site);
    expect(stage.mails(NEW)).to.have.length(1);
    expect(stage.mails(ann.email)).to.have.length(0);
  });

  it('can be invited at the new address only', async () => {
    const invite = async (email: string) => {
      const workspaceId = world.owner.workspaceId;
      const { link } = await create<{ link: string }>(
        world.owner.api,
        `/api/v1/workspaces/${workspaceId}/invitations`,
        {
          email,
          role: 'Viewer',
        },
      );
      return new URL(link).searchParams.get('token');
    };
    const former = await withNewEmail('POST', '/api/v1/invitations/accept', { token: await invite(ann.email) });
    expect([former.status, former.body.error]).to.deep.equal([403, 'not_invited']);
    const token = await invite(NEW);
    expect((await withNewEmail('POST', '/api/v1/invitations/accept', { token })).status).to.equal(200);
  });

  it('gets reports at the new address', async () => {
    const id = await stage.app.value<string>('SELECT id FROM workspace WHERE owner_id = $1', [ann.userId]);
    const api = stage.app.as(ann.sub, { workspaceId: id });
    await create(api, '/api/v1/monitor', { url: 'https://shop.example/', reporting: { dailyReport: true } });
    const sendReports = stage.app.plane.jobs.find(({ name }) => name === 'send_due_reports')!;
    stage.app.clock.advance(44 * HOUR_MS);
    await stage.app.plane.partitions.makeAhead();
    await sendReports.run();
    await stage.work();
    expect(stage.mails(NEW).filter(({ subject }) => /report/i.test(subject)).length).to.be.greaterThan(0);
    expect(stage.mails(ann.email).filter(({ subject }) => /report/i.test(subject))).to.have.length(0);
  });
});

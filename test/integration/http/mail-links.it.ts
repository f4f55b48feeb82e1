import { expect } from 'chai';
import { issueAcknowledgeLinks } from '@watchpost/control-plane/capabilities/delivery/links/acknowledge-link';
import { databaseDigest } from '../../support/database-digest.js';
import { create, seedIncident, seedMonitor } from '../../support/seed.js';
import { appForSuite, worldForSuite } from '../../support/suite.js';

describe('A link in a mail or a text message', () => {
  const app = appForSuite();
  const world = worldForSuite(app, 'Pro');

  async function linkInMail(what: string): Promise<string> {
    const mails = await app.sql<{ text: string }>(
      `SELECT content->>'text' AS text FROM outgoing_mail ORDER BY created DESC, id DESC`,
    );
    const link = mails.flatMap(({ text }) => new RegExp(`https?://\\S*${what}\\S*token=\\S+`).exec(text) ?? [])[0];
    return link!;
  }
  const subscribers = '/api/v1/public/status-page/mail-links/subscribers';
  const subscribe = () => create(app.anonymous, subscribers, { email: 'ann@example.com' });

  const links: Record<string, () => Promise<string>> = {
    async 'that confirms a subscription'() {
      await create(world.api, '/api/v1/status-page', { name: 'Acme', slug: 'mail-links', isPublished: true });
      await subscribe();
      return linkInMail('confirm');
    },
    async 'that ends a subscription'() {
      await fetch(await linkInMail('confirm'), { method: 'POST' });
      await subscribe();
      return linkInMail('unsubscribe');
    },
    async 'that accepts an invitation'() {
      const path = `/api/v1/workspaces/${world.workspaceId}/invitations`;
      return (await create<{ link: string }>(world.api, path, { email: 'bob@example.com', role: 'Viewer' })).link;
    },
    async 'that acknowledges an incident'() {
      const incidentId = await seedIncident(world, (await seedMonitor(world)).id);
      const link = { workspaceId: world.workspaceId, incidentId, userId: world.owner.userId };
      const deps = { clock: app.clock, baseUrl: app.baseUrl };
      return (await app.db.transaction((tx) => issueAcknowledgeLinks(deps, tx, [link])))[0]!;
    },
  };

  for (const [name, linkOf] of Object.entries(links))
    it(`${name} changes nothing when a scanner opens it with HEAD or GET`, async () => {
      const link = await linkOf();
      const before = await databaseDigest(app);
      for (const accept of ['text/html', 'application/json', '*/*'])
        for (const method of ['HEAD', 'GET']) {
          const answer = await fetch(link, { method, headers: { accept } });
          expect([answer.status, method, accept].join(' ')).to.match(/^(200|406) /);
          await answer.arrayBuffer();
        }
      expect(await databaseDigest(app)).to.deep.equal(before);
    });
});

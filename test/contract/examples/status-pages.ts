import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { create, seedMonitor, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';
import { seedServiceGroup } from './service-groups.js';

const PATH = '/api/v1/status-page';
const NOW = Date.UTC(2026, 10, 21, 12);

/** A slug that no other status page has. */
const freshSlug = (): string => `acme-${newId(NOW)}`;

interface Page {
  id: string;
  slug: string;
  groups: { systems: { id: string }[] }[];
}

async function seedPage(world: Pick<World, 'api'>, body: object = {}): Promise<Page> {
  const { id: monitorId } = await seedMonitor(world);
  const serviceGroupId = await seedServiceGroup(world);
  const systems = [
    { name: 'Shop', monitorId },
    { name: 'Payments', serviceGroupId, overrideStatus: 'maintenance', overrideMessage: 'Back at noon.' },
  ];
  return create(world.api, PATH, {
    name: 'Acme',
    slug: freshSlug(),
    isPublished: true,
    groups: [{ name: 'Public sites', systems }],
    ...body,
  });
}
const onePage = async (world: World) => ({ params: { id: (await seedPage(world)).id } });

async function pageWithPost(world: World) {
  const page = await seedPage(world);
  const post = {
    title: 'Payments are slow',
    body: 'We are looking into it.',
    systemIds: [page.groups[0]!.systems[0]!.id],
  };
  const { id: incidentPostId } = await create(world.api, `${PATH}/${page.id}/incidents`, post);
  return { page, params: { id: page.id, incidentPostId } };
}
const onePost = async (world: World) => ({ params: (await pageWithPost(world)).params });

const withForeignMonitor = async (foreign: World) => {
  const { id: monitorId } = await seedMonitor(foreign);
  return { groups: [{ name: 'Public sites', systems: [{ name: 'Shop', monitorId }] }] };
};

export const statusPageExamples: Examples = {
  listStatusPages: {
    seed: async (world) => {
      await seedPage(world);
      return {};
    },
  },
  getStatusPage: { seed: onePage },
  createStatusPage: {
    seed: async (world) => {
      const { id: monitorId } = await seedMonitor(world);
      return {
        body: {
          name: 'Acme',
          slug: freshSlug(),
          description: 'How we are doing.',
          isPublished: true,
          showIncidentHistory: true,
          theme: 'dark',
          banner: { imageUrl: 'https://acme.example/banner.png', linkUrl: 'https://acme.example/', altText: 'Acme' },
          groups: [{ name: 'Public sites', systems: [{ name: 'Shop', monitorId, overrideStatus: null }] }],
        },
      };
    },
    foreignBody: async (_, foreign) => ({ name: 'Acme', slug: freshSlug(), ...(await withForeignMonitor(foreign)) }),
  },
  updateStatusPage: {
    seed: async (world) => ({ ...(await onePage(world)), body: { name: 'Acme, renamed', theme: 'light' } }),
    check: ({ body }) => expect(body).to.deep.include({ name: 'Acme, renamed', theme: 'light' }),
    foreignBody: (_, foreign) => withForeignMonitor(foreign),
  },
  deleteStatusPage: { seed: onePage },
  listStatusPageSummaries: {
    seed: async (world) => {
      await seedPage(world);
      return {};
    },
    check: ({ body }) => expect(body[0]).to.include({ subscribers: 0, openPosts: 0 }),
  },
  previewStatusPage: {
    seed: async (world) => ({ params: { workspaceId: world.workspaceId, id: (await seedPage(world)).id } }),
    check: ({ body }) => expect(body).to.include('<h1>').and.include('Shop'),
  },
};

export const postExamples: Examples = {
  listStatusPagePosts: { seed: async (world) => ({ params: { id: (await pageWithPost(world)).page.id } }) },
  getStatusPagePost: { seed: onePost },
  createStatusPagePost: {
    seed: async (world) => {
      const { id, groups } = await seedPage(world);
      return {
        params: { id },
        body: {
          title: 'Moving house',
          body: 'The *shop* is closed.',
          kind: 'maintenance',
          status: 'scheduled',
          systemIds: [groups[0]!.systems[0]!.id],
          scheduledStart: '2026-11-22T08:00:00Z',
          scheduledEnd: '2026-11-22T09:00:00Z',
        },
      };
    },
  },
  previewStatusPagePost: {
    seed: () => Promise.resolve({ body: { body: '**Slow** <b>now</b>' } }),
    check: ({ body }) => expect(body.html).to.equal('<p><strong>Slow</strong> &lt;b&gt;now&lt;/b&gt;</p>\n'),
  },
  updateStatusPagePost: {
    seed: async (world) => ({ ...(await onePost(world)), body: { body: 'All is well again.', status: 'resolved' } }),
    check: ({ body }) => {
      expect(body.status).to.equal('resolved');
      expect(body.updates[0]).to.deep.include({ body: 'All is well again.', status: 'resolved' });
    },
  },
  deleteStatusPagePost: { seed: onePost },
};

const onSite = async (world: World) => ({ params: { slug: (await seedPage(world)).slug } });

async function subscribedPage(world: World): Promise<string> {
  const { slug } = await seedPage(world);
  const answer = await world.api('POST', `/api/v1/public/status-page/${slug}/subscribers`, {
    email: `${newId(NOW)}@example.com`,
  });
  expect(answer.status).to.equal(202);
  return slug;
}

/** The link in the newest mail of the workspace that leads to this end of a subscription. */
async function lastMail(world: World, what: 'confirm' | 'unsubscribe'): Promise<{ link: URL }> {
  const content = await world.app.value<{ text: string }>(
    `SELECT content FROM outgoing_mail WHERE workspace_id = $1 AND content->>'text' LIKE '%/' || $2 || '?token=%'`,
    [world.workspaceId, what],
  );
  const link = new RegExp(`https?://\\S+/subscribers/${what}\\?token=\\S+`).exec(content.text)![0];
  return { link: new URL(link) };
}

async function toConfirm(world: World): Promise<{ params: { slug: string }; query: string }> {
  const slug = await subscribedPage(world);
  const { link } = await lastMail(world, 'confirm');
  return { params: { slug }, query: link.searchParams.toString() };
}

async function toUnsubscribe(world: World): Promise<{ params: { slug: string }; query: string }> {
  const slug = await subscribedPage(world);
  const confirmed = (await lastMail(world, 'confirm')).link;
  await world.api('POST', confirmed.pathname + confirmed.search);
  const email = await world.app.value<string>('SELECT email FROM status_page_subscriber WHERE workspace_id = $1', [
    world.workspaceId,
  ]);
  await world.api('POST', `/api/v1/public/status-page/${slug}/subscribers`, { email });
  return { params: { slug }, query: (await lastMail(world, 'unsubscribe')).link.searchParams.toString() };
}

export const publicPageExamples: Examples = {
  getPublicStatusPage: {
    seed: async (world) => ({ params: { slug: (await seedPage(world)).slug } }),
    check: ({ body }) =>
      expect(body.groups[0].systems.map(({ name }: { name: string }) => name)).to.deep.equal(['Shop', 'Payments']),
  },
  getStatusSite: { seed: onSite, check: ({ body }) => expect(body).to.include('<h1>').and.include('Shop') },
  getStatusSitePost: {
    seed: async (world) => {
      const { page, params } = await pageWithPost(world);
      return { params: { slug: page.slug, postId: params.incidentPostId } };
    },
    check: ({ body }) => expect(body).to.include('Payments are slow'),
  },
  getStatusCalendar: { seed: onSite, check: ({ body }) => expect(body).to.include('BEGIN:VCALENDAR') },
  getStatusFeed: { seed: onSite, check: ({ body }) => expect(body).to.include('<feed xmlns=') },
  getStatusBadge: { seed: onSite, check: ({ body }) => expect(body).to.include('<svg ') },
  subscribeToStatusPage: {
    seed: async (world) => ({ ...(await onSite(world)), body: { email: 'visitor@example.com' } }),
  },
  readConfirmation: { seed: toConfirm, check: ({ body }) => expect(body.message).to.include('news of Acme') },
  confirmSubscription: { seed: toConfirm, check: ({ body }) => expect(body.message).to.include('You now hear') },
  askToUnsubscribe: {
    seed: toUnsubscribe,
    check: ({ body }) => expect(body.message).to.include('You get news of Acme'),
  },
  unsubscribe: { seed: toUnsubscribe, check: ({ body }) => expect(body.message).to.include('no more mail') },
};

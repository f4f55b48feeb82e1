import { expect } from 'chai';
import { newId } from '@watchpost/shared/id';
import { create, seedMonitor, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';
import { seedServiceGroup } from './service-groups.js';

const PATH = '/api/v1/status-page';
const NOW = Date.UTC(2026, 10, 21, 12);

/** An address that no other page has. */
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

/** A page that shows a monitor of somebody else. */
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
  updateStatusPagePost: {
    seed: async (world) => ({ ...(await onePost(world)), body: { body: 'All is well again.', status: 'resolved' } }),
    check: ({ body }) => {
      expect(body.status).to.equal('resolved');
      expect(body.updates[0]).to.deep.include({ body: 'All is well again.', status: 'resolved' });
    },
  },
  deleteStatusPagePost: { seed: onePost },
};

export const publicPageExamples: Examples = {
  getPublicStatusPage: {
    seed: async (world) => ({ params: { slug: (await seedPage(world)).slug } }),
    check: ({ body }) =>
      expect(body.groups[0].systems.map(({ name }: { name: string }) => name)).to.deep.equal(['Shop', 'Payments']),
  },
};

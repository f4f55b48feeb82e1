import { typesWithin } from '@watchpost/control-plane/capabilities/channels/registry';
import { GROUP_LIMIT_KEYS } from '@watchpost/control-plane/capabilities/plans/index';
import { groupBody } from '../support/group-body.js';
import type { ApiResponse } from '../support/product.js';
import { create, seedMonitor, type World } from '../support/seed.js';
import type { FEATURE_ROWS, LIMIT_ROWS } from './plan-rows.js';

/** The request that creates one more of what a plan counts. It is answered with 201 below the limit. */
interface Counted {
  make(world: World, index: number): Promise<ApiResponse>;
  /** The number of requests if the plan has no limit. */
  few?: number;
}

interface Feature {
  attempt(world: World): Promise<ApiResponse>;
  success: number;
}

/** Of each limit of groups, the first channel that it counts. */
const groups = Object.fromEntries(
  GROUP_LIMIT_KEYS.flatMap((limit): [string, Counted][] => {
    const [type] = typesWithin(limit);
    if (type === undefined || type === 'sms') return [];
    const make: Counted['make'] = ({ api }, index) =>
      api('POST', `/api/v1/action-groups/${type}`, { ...groupBody(type), name: `Group ${index}` });
    return [[limit, { make }]];
  }),
);

export const COUNTED: Readonly<Partial<Record<keyof typeof LIMIT_ROWS, Counted>>> = {
  ...groups,
  smsGroups: {
    async make(world, index) {
      const { id } = await seedMonitor(world);
      const body = { name: `Group ${index}`, phoneNumbers: ['+353871234567'] };
      return world.api('POST', `/api/v1/monitor/${id}/sms-action-group`, body);
    },
  },
  privateLocations: {
    make: ({ api }, index) => api('POST', '/api/v1/private-locations', { name: 'Office', slug: `office-${index}` }),
  },
  teams: { make: ({ api }, index) => api('POST', '/api/v1/teams', { name: `Team ${index}` }), few: 12 },
};

export async function createPage(world: World, more: object = {}): Promise<ApiResponse> {
  const { id: monitorId } = await seedMonitor(world);
  const groups = [{ name: 'Sites', systems: [{ name: 'Shop', monitorId }] }];
  return world.api('POST', '/api/v1/status-page', {
    name: 'Acme',
    slug: `acme-${monitorId}`,
    isPublished: true,
    groups,
    ...more,
  });
}

export const FEATURES: Readonly<Partial<Record<keyof typeof FEATURE_ROWS, Feature>>> = {
  rotations: {
    async attempt({ api, owner }) {
      const { id } = await create(api, '/api/v1/teams', { name: 'Night watch' });
      const { userId } = owner;
      await create(api, `/api/v1/teams/${id}/members`, { userId });
      return api('PUT', `/api/v1/teams/${id}/schedule`, { rotation: 'daily', participants: [userId] });
    },
    success: 200,
  },
  banner: {
    attempt: (world) => createPage(world, { banner: { imageUrl: 'https://acme.example/banner.png', altText: 'Acme' } }),
    success: 201,
  },
};

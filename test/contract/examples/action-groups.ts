import { expect } from 'chai';
import {
  ACTION_GROUP_TYPES,
  type ActionGroupType,
  channelOf,
} from '@watchpost/control-plane/capabilities/channels/registry';
import { groupBody } from '../../support/group-body.js';
import { create, seedMonitor, type World } from '../../support/seed.js';
import type { Example, ExampleCall, Examples } from '../example.js';

const BODIES = {
  email: { name: 'On-call engineers', recipients: ['ops@example.test', 'dev@example.test'] },
  sms: { name: 'Phones', phoneNumbers: ['+353871234567'] },
  webhook: {
    name: 'Hook',
    url: 'https://hooks.example.test/watchpost',
    headers: { Authorization: 'Bearer s3cr3t', 'X-Team': 'shop' },
  },
} as const;
type Type = ActionGroupType;
const bodyOf = (type: Type): object => ({ ...groupBody(type), ...(BODIES as Partial<Record<Type, object>>)[type] });
const LEGACY = ['email', 'sms', 'webhook'] as const;

async function seedGroup(world: World, type: Type, monitorId?: string): Promise<string> {
  if (channelOf(type).isMadeWithMonitor) {
    const of = monitorId ?? (await seedMonitor(world)).id;
    return (await create(world.api, `/api/v1/monitor/${of}/${type}-action-group`, bodyOf(type))).id;
  }
  const { id } = await create(world.api, `/api/v1/action-groups/${type}`, bodyOf(type));
  if (monitorId !== undefined) await create(world.api, `/api/v1/action-groups/${id}/monitors/${monitorId}`);
  return id;
}
const one =
  (type: Type, more: Omit<ExampleCall, 'params'> = {}) =>
  async (world: World): Promise<ExampleCall> => ({ params: { id: await seedGroup(world, type) }, ...more });
async function attached(world: World, type: Type): Promise<{ id: string; monitorId: string }> {
  const monitorId = (await seedMonitor(world)).id;
  return { id: await seedGroup(world, type, monitorId), monitorId };
}
const isLegacy: Example['check'] = ({ headers }) => {
  expect(headers.get('deprecation')).to.match(/^@\d+$/);
  expect(headers.get('link')).to.include('rel="successor-version"');
};

const named = (type: Type): string => channelOf(type).id;

const ofType = (type: Type): Examples => ({
  ...(!channelOf(type).isMadeWithMonitor && {
    [`create${named(type)}ActionGroup`]: { seed: () => ({ body: bodyOf(type) }) },
  }),
  [`get${named(type)}ActionGroup`]: { seed: one(type) },
  [`update${named(type)}ActionGroup`]: {
    seed: one(type, { body: { name: 'Renamed', isEnabled: false } }),
    check: ({ body }) => expect(body).to.include({ name: 'Renamed', isEnabled: false }),
  },
});

const legacyOfType = (type: (typeof LEGACY)[number]): Examples => ({
  [`createMonitor${named(type)}ActionGroup`]: {
    seed: async (world) => ({ params: { monitorId: (await seedMonitor(world)).id }, body: bodyOf(type) }),
    check: isLegacy,
  },
  [`listMonitor${named(type)}ActionGroups`]: {
    seed: async (world) => ({ params: { monitorId: (await attached(world, type)).monitorId } }),
    check: isLegacy,
  },
  [`deleteMonitor${named(type)}ActionGroup`]: {
    seed: async (world) => ({ params: await attached(world, type) }),
    check: isLegacy,
  },
  ...(type === 'sms'
    ? {}
    : {
        [`updateMonitor${named(type)}ActionGroup`]: {
          seed: async (world) => {
            const { id, monitorId } = await attached(world, type);
            return { params: { monitorId }, body: { id, name: 'Renamed' } };
          },
          foreignBody: async (_world, foreign) => ({ id: (await attached(foreign, type)).id, name: 'Renamed' }),
          check: isLegacy,
        } satisfies Example,
      }),
});

export const actionGroupExamples: Examples = {
  previewAlerts: {
    seed: async (world) => ({ params: { id: (await seedMonitor(world)).id } }),
    check: ({ body }) => expect(body.willAnyoneHear).to.equal(false),
  },
  previewNewAlerts: {
    seed: async (world) => ({ query: `actionGroupId=${await seedGroup(world, 'slack')}` }),
    check: ({ body }) => expect([body.willAnyoneHear, body.groups.length]).to.deep.equal([true, 1]),
  },
  listActionGroups: { seed: async (world) => void (await attached(world, 'email')) },
  getActionGroup: {
    seed: async (world) => ({ params: { id: (await attached(world, 'email')).id } }),
    check: ({ body }) => expect(body).to.include({ type: 'email', monitorCount: 1 }),
  },
  deleteActionGroup: { seed: one('slack') },
  testActionGroup: {
    seed: one('email'),
    check: ({ body }) => {
      expect(body.delivered).to.equal(true);
      expect(body.deliveries).to.have.length(BODIES.email.recipients.length);
    },
  },
  listActionGroupDeliveries: {
    seed: async (world) => {
      const id = await seedGroup(world, 'email');
      await create(world.api, `/api/v1/action-groups/${id}/test`);
      return { params: { id } };
    },
    check: ({ body }) => expect(body[0]).to.include({ state: 'delivered', purpose: 'test', channel: 'email' }),
  },
  listDeliveries: {
    seed: async (world) => {
      const id = await seedGroup(world, 'email');
      await create(world.api, `/api/v1/action-groups/${id}/test`);
      return { query: `actionGroupId=${id}&state=delivered&channel=email` };
    },
    check: ({ body }) => expect(body[0]).to.include({ state: 'delivered', purpose: 'test', channel: 'email' }),
  },
  listLatestDeliveries: {
    seed: async (world) => {
      const id = await seedGroup(world, 'email');
      await create(world.api, `/api/v1/action-groups/${id}/test`);
      return { query: `actionGroupId=${id}` };
    },
    check: ({ body }) => {
      expect(body[0].latest).to.include({ state: 'delivered', purpose: 'test' });
      expect(body[0].latestFailed).to.equal(null);
    },
  },
  getDelivery: {
    seed: async (world) => {
      const id = await seedGroup(world, 'email');
      const test = await create<{ deliveries: { id: string }[] }>(world.api, `/api/v1/action-groups/${id}/test`);
      return { params: { id: test.deliveries[0]!.id } };
    },
    check: ({ body }) => {
      expect(body).to.include({ state: 'delivered', attempts: 1 });
      expect(body.attemptLog).to.have.length(1);
      expect(body.attemptLog[0]).to.include({ outcome: 'sent', nextAttempt: null });
    },
  },
  listUnheardMonitors: {
    seed: async (world) => void (await seedMonitor(world)),
    check: ({ body }) => expect(body[0].why).to.include('No channel'),
  },
  previewMessages: {
    seed: async (world) => {
      const { id, monitorId } = await attached(world, 'sms');
      return { params: { id }, query: `monitorId=${monitorId}` };
    },
    check: ({ body }) => expect(body[0]).to.include({ type: 'incident.opened', channel: 'sms', body: null }),
  },
  previewTemplate: {
    seed: async () => ({
      body: { type: 'email', template: '{{ monitor.name }}\n{{ event.type }}' },
    }),
    check: ({ body }) => expect(body[0]).to.deep.include({ title: 'Example shop', sentences: ['incident.opened'] }),
  },
  listActionGroupMonitors: {
    seed: async (world) => ({ params: { id: (await attached(world, 'email')).id } }),
    check: ({ body }) => expect(body).to.have.length(1),
  },
  attachActionGroup: {
    seed: async (world) => ({
      params: { id: await seedGroup(world, 'webhook'), monitorId: (await seedMonitor(world)).id },
    }),
    check: ({ body }) => expect(body.monitorCount).to.equal(1),
  },
  detachActionGroup: { seed: async (world) => ({ params: await attached(world, 'teams') }) },
  rotateActionGroupSecret: { seed: one('webhook'), check: ({ body }) => expect(body.secret).to.match(/^whsec_/) },
  rotateWebhookActionGroupSecret: {
    seed: one('webhook'),
    check: ({ body }) => expect(body.secret).to.match(/^whsec_/),
  },
  listChannels: {
    check: ({ body }) => expect(body.map(({ type }: { type: string }) => type)).to.deep.equal(ACTION_GROUP_TYPES),
  },
  ...(Object.assign({}, ...ACTION_GROUP_TYPES.map(ofType)) as Examples),
  listMonitorActionGroups: {
    seed: async (world) => ({ params: { monitorId: (await attached(world, 'email')).monitorId } }),
    check: isLegacy,
  },
  getMonitorEmailActionGroup: { seed: async (world) => ({ params: await attached(world, 'email') }), check: isLegacy },
  ...legacyOfType('email'),
  ...legacyOfType('sms'),
  ...legacyOfType('webhook'),
};

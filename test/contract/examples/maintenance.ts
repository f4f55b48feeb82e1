import { expect } from 'chai';
import type { Json } from '../../support/product.js';
import { create, seedMonitor, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const PATH = '/api/v1/maintenance-windows';

async function seedWindow(world: Pick<World, 'api'>, body: object = {}): Promise<{ params: { id: string } }> {
  const { id } = await create(world.api, PATH, {
    name: 'Deploys',
    startsAt: '2099-03-29T02:00',
    timezone: 'Europe/Berlin',
    duration: 'PT1H',
    recurrence: 'FREQ=WEEKLY',
    scope: { tags: ['team:web'] },
    ...body,
  });
  return { params: { id } };
}

const oneWindow = (world: World) => seedWindow(world);

export const maintenanceExamples: Examples = {
  listMaintenanceWindows: {
    seed: async (world) => {
      await seedWindow(world);
      return { query: 'state=scheduled' };
    },
    check: ({ body }) => expect(body).to.have.length(1),
  },
  getMaintenanceWindow: {
    seed: oneWindow,
    check: ({ body }) =>
      expect(body).to.deep.include({
        state: 'scheduled',
        activeUntil: null,
        nextOccurrence: { start: '2099-03-29T01:00:00.000Z', end: '2099-03-29T02:00:00.000Z' },
      }),
  },
  createMaintenanceWindow: {
    seed: async (world) => {
      const { id: monitorId } = await seedMonitor(world);
      return {
        body: {
          name: 'Moving house',
          description: 'The shop is closed.',
          startsAt: 'now',
          timezone: 'Europe/Berlin',
          duration: 'PT2H',
          recurrence: 'FREQ=MONTHLY;BYDAY=-1SU;COUNT=5',
          scope: { monitorIds: [monitorId], serviceGroupIds: [], tags: ['team:web'], all: false },
          checks: 'pause',
          statusPageIds: [],
          notifySubscribers: false,
        },
      };
    },
    check: ({ body }) => expect(body.scope.tags).to.deep.equal(['team:web']),
    foreignBody: async (_, foreign) => {
      const { id: monitorId } = await seedMonitor(foreign);
      return { name: 'Moving house', startsAt: 'now', duration: 'PT2H', scope: { monitorIds: [monitorId] } };
    },
  },
  updateMaintenanceWindow: {
    seed: async (world) => ({ ...(await oneWindow(world)), body: { name: 'Releases', duration: 'PT90M' } }),
    check: ({ body }) =>
      expect(body).to.deep.include({ name: 'Releases', duration: 'PT1H30M', timezone: 'Europe/Berlin' }),
    foreignBody: async (_, foreign) => {
      const { id: monitorId } = await seedMonitor(foreign);
      return { scope: { monitorIds: [monitorId] } };
    },
  },
  deleteMaintenanceWindow: { seed: oneWindow },
  listMaintenanceOccurrences: {
    seed: async (world) => ({
      ...(await oneWindow(world)),
      query: 'startDate=2099-03-29T00:00:00Z&endDate=2099-04-12T00:30:00Z',
    }),
    check: ({ body }) =>
      expect(body).to.deep.equal([
        { start: '2099-03-29T01:00:00.000Z', end: '2099-03-29T02:00:00.000Z' },
        { start: '2099-04-05T00:00:00.000Z', end: '2099-04-05T01:00:00.000Z' },
        { start: '2099-04-12T00:00:00.000Z', end: '2099-04-12T01:00:00.000Z' },
      ]),
  },
  readMaintenanceCalendar: {
    seed: async (world) => {
      await oneWindow(world);
      return { query: 'startDate=2099-03-29T00:00:00Z&endDate=2099-04-05T00:30:00Z' };
    },
    check: ({ body }) =>
      expect(body.map(({ start }: Json) => start)).to.deep.equal([
        '2099-03-29T01:00:00.000Z',
        '2099-04-05T00:00:00.000Z',
      ]),
  },
  previewMaintenanceOccurrences: {
    seed: async () => ({
      query: 'startsAt=2099-03-29T02:00&timezone=Europe/Berlin&duration=PT1H&recurrence=FREQ=WEEKLY;COUNT=2',
    }),
    check: ({ body }) =>
      expect(body).to.deep.equal([
        { start: '2099-03-29T01:00:00.000Z', end: '2099-03-29T02:00:00.000Z' },
        { start: '2099-04-05T00:00:00.000Z', end: '2099-04-05T01:00:00.000Z' },
      ]),
  },
  endMaintenanceWindow: {
    seed: (world) => seedWindow(world, { startsAt: 'now', recurrence: null }),
    check: ({ body }) => expect(body).to.include({ state: 'finished', activeUntil: null }),
  },
  skipMaintenanceOccurrence: {
    seed: oneWindow,
    check: ({ body }) => expect(body.nextOccurrence.start).to.equal('2099-04-05T00:00:00.000Z'),
  },
};

import { expect } from 'chai';
import { create, type World } from '../../support/seed.js';
import type { Examples } from '../example.js';

const TEAMS = '/api/v1/teams';

async function seedTeam(world: World): Promise<{ id: string; userIds: string[] }> {
  const { id } = await create(world.api, TEAMS, { name: 'Night watch', description: 'Who answers at night' });
  const userIds = [world.owner.userId, (await world.member('Responder')).userId];
  for (const userId of userIds) await create(world.api, `${TEAMS}/${id}/members`, { userId, teamRole: 'lead' });
  return { id, userIds };
}

const SCHEDULE = {
  rotation: 'weekly',
  timezone: 'Europe/Dublin',
  handoffTime: '09:00',
  handoffDay: 'monday',
  startDate: '2026-11-02',
};

async function seedSchedule(world: World): Promise<{ id: string; userIds: string[] }> {
  const team = await seedTeam(world);
  await create(world.api, `${TEAMS}/${team.id}/schedule`, { ...SCHEDULE, participants: team.userIds }, 'PUT');
  return team;
}

const layered = (userIds: readonly string[]) => ({
  name: 'Nights',
  timezone: 'Europe/Dublin',
  holidays: ['2026-12-25'],
  layers: [
    {
      name: 'Weekend nights',
      rotation: { unit: 'day', every: 1, handoffTime: '18:00', handoffDay: null },
      startDate: '2026-11-02',
      endDate: null,
      restrictions: [{ days: ['friday', 'saturday'], start: '22:00', end: '06:00' }],
      holidays: 'skip',
      participants: userIds,
    },
  ],
});

async function seedLayers(world: World): Promise<{ id: string; scheduleId: string; userIds: string[] }> {
  const { id, userIds } = await seedTeam(world);
  const { id: scheduleId } = await create(world.api, `${TEAMS}/${id}/schedules`, layered(userIds));
  return { id, scheduleId, userIds };
}
const oneLayered = async (world: World) => {
  const { id, scheduleId } = await seedLayers(world);
  return { params: { id, scheduleId } };
};

/** A swap of a shift of the owner that a Responder is asked to take. */
async function seedSwap(world: World) {
  const { id, scheduleId, userIds } = await seedLayers(world);
  const shift = { shiftStart: '2026-11-28T22:00:00Z', shiftEnd: '2026-11-29T06:00:00Z' };
  const path = `${TEAMS}/${id}/schedules/${scheduleId}`;
  const { body } = await world.api('GET', `${path}/oncall?at=${shift.shiftStart}`);
  const isOwners = body.user.userId === world.owner.userId;
  const owner = { ...world.owner, api: world.api };
  const responder = await world.member('Responder');
  const [asks, asked] = isOwners ? [owner, responder] : [responder, owner];
  const swap = { ...shift, withUserId: isOwners ? userIds[1]! : world.owner.userId };
  return { id, scheduleId, path, asks, asked, swap };
}
async function oneSwap(world: World) {
  const { id, scheduleId, path, asks, asked, swap } = await seedSwap(world);
  const { id: swapId } = await create(asks.api, `${path}/swaps`, swap);
  return { asks, asked, params: { id, scheduleId, swapId } };
}

async function swapLink(world: World) {
  const { asked } = await oneSwap(world);
  const [mail] = await world.app.sql<{ text: string }>(
    `SELECT content ->> 'text' AS text FROM outgoing_mail WHERE workspace_id = $1 AND recipient = $2 ORDER BY id DESC`,
    [world.workspaceId, asked.email],
  );
  return { params: { token: /\/swap\/([\w-]+)/.exec(mail!.text)![1]! } };
}

const policy = (userIds: readonly string[]) => ({
  name: 'Nights',
  severities: ['down', 'partial'],
  steps: [
    { after: 'PT0S', targets: [{ type: 'onCall' }], ackRequired: 'one' },
    { after: 'PT5M', targets: [{ type: 'user', id: userIds[1] }, { type: 'leads' }], ackRequired: 'each' },
  ],
  repeat: 1,
  ackTimeout: 'PT1H',
});
async function onePolicy(world: World) {
  const { id, userIds } = await seedTeam(world);
  const { id: policyId } = await create(world.api, `${TEAMS}/${id}/escalation-policies`, policy(userIds));
  return { params: { id, policyId } };
}

const override = (userId: string | undefined) => ({
  userId,
  start: '2026-11-24T12:00:00Z',
  end: '2026-11-25T12:00:00Z',
  reason: 'Swapped',
});

async function seedRouting(world: World): Promise<{ id: string; serviceGroupId: string }> {
  const { id } = await seedTeam(world);
  const group = await create(world.api, '/api/v1/service-group', { name: 'Checkout' });
  await create(world.api, `${TEAMS}/${id}/service-groups/${group.id}`, undefined, 'PUT');
  return { id, serviceGroupId: group.id };
}

/** A member who may only read the schedule. */
async function seedCalendarLink(world: World) {
  const { id } = await seedSchedule(world);
  const by = await world.member('Viewer');
  const link = await create<{ id: string; url: string }>(by.api, `${TEAMS}/${id}/calendar-links`, { name: 'My phone' });
  return { by, id, linkId: link.id, token: link.url.split('/').at(-2)! };
}

const oneTeam = async (world: World) => ({ params: { id: (await seedTeam(world)).id } });
const oneSchedule = async (world: World) => ({ params: { id: (await seedSchedule(world)).id } });
const oneMember = async (world: World) => {
  const { id, userIds } = await seedTeam(world);
  return { params: { id, userId: userIds[1]! } };
};

export const onCallExamples: Examples = {
  listTeams: {
    async seed(world) {
      await seedTeam(world);
      return {};
    },
  },
  getTeam: { seed: oneTeam, check: ({ body }) => expect(body.members).to.have.length(2) },
  createTeam: { seed: () => ({ body: { name: 'Night watch', description: 'Who answers at night' } }) },
  updateTeam: {
    seed: async (world) => ({ ...(await oneTeam(world)), body: { name: 'Day watch', description: null } }),
    check: ({ body }) => expect(body).to.deep.include({ name: 'Day watch', description: null }),
  },
  deleteTeam: { seed: oneTeam },
  addTeamMember: {
    seed: async (world) => {
      const { userId } = await world.member('Editor');
      return { ...(await oneTeam(world)), body: { userId, teamRole: 'lead' } };
    },
    foreignBody: async (_world, foreign) => ({ userId: foreign.owner.userId }),
  },
  updateTeamMember: { seed: async (world) => ({ ...(await oneMember(world)), body: { teamRole: 'member' } }) },
  removeTeamMember: { seed: oneMember },
  getSchedule: {
    seed: oneTeam,
    check: ({ body }) => expect(body).to.deep.include({ rotation: null, participants: null, overrides: [] }),
  },
  setSchedule: {
    async seed(world) {
      const { id, userIds } = await seedTeam(world);
      return { params: { id }, body: { ...SCHEDULE, participants: userIds } };
    },
    check: ({ body }, _world, call) => expect(body).to.deep.include(call.body),
  },
  deleteSchedule: { seed: oneSchedule },
  previewNewSchedule: {
    async seed(world) {
      const { id, userIds } = await seedTeam(world);
      return { params: { id }, body: { ...SCHEDULE, participants: userIds } };
    },
    check: ({ body }) => expect(body[0]).to.include({ source: 'rotation' }),
  },
  createOverride: {
    async seed(world) {
      const { id, userIds } = await seedSchedule(world);
      return { params: { id }, body: override(userIds[1]) };
    },
  },
  deleteOverride: {
    async seed(world) {
      const { id, userIds } = await seedSchedule(world);
      const { id: overrideId } = await create(world.api, `${TEAMS}/${id}/schedule/overrides`, override(userIds[1]));
      return { params: { id, overrideId } };
    },
  },
  getOnCall: {
    seed: async (world) => ({ ...(await oneSchedule(world)), query: 'at=2026-11-16T09:00:00Z' }),
    check: ({ body }, world) => {
      expect(body).to.deep.include({
        source: 'rotation',
        since: '2026-11-16T09:00:00.000Z',
        until: '2026-11-23T09:00:00.000Z',
      });
      expect(body.user.userId).to.equal(world.owner.userId);
    },
  },
  previewSchedule: {
    seed: async (world) => ({
      ...(await oneSchedule(world)),
      query: 'startDate=2026-11-16T09:00:00Z&endDate=2026-11-30T09:00:00Z',
    }),
    check: ({ body }) => expect(body).to.have.length(2),
  },
  getScheduleCalendar: {
    seed: oneSchedule,
    check: ({ body }) =>
      expect(body)
        .to.match(/^BEGIN:VCALENDAR\r\n/)
        .and.match(/END:VCALENDAR\r\n$/),
  },
  listTeamSchedules: { seed: async (world) => ({ params: { id: (await seedLayers(world)).id } }) },
  getTeamSchedule: { seed: oneLayered },
  createTeamSchedule: {
    async seed(world) {
      const { id, userIds } = await seedTeam(world);
      return { params: { id }, body: layered(userIds) };
    },
    check: ({ body }, _world, call) => expect(body).to.deep.include(call.body),
  },
  updateTeamSchedule: { seed: async (world) => ({ ...(await oneLayered(world)), body: { name: 'Evenings' } }) },
  deleteTeamSchedule: { seed: oneLayered },
  previewTeamSchedule: {
    seed: async (world) => ({
      ...(await oneLayered(world)),
      query: 'startDate=2026-11-13T12:00:00Z&endDate=2026-11-14T12:00:00Z',
    }),
    check: ({ body }) => expect(body).to.have.length(3),
  },
  previewNewTeamSchedule: {
    async seed(world) {
      const { id, userIds } = await seedTeam(world);
      return { params: { id }, body: layered(userIds) };
    },
    check: ({ body }) => expect(body.length).to.be.above(8),
  },
  previewTeamScheduleChange: {
    seed: async (world) => ({ ...(await oneLayered(world)), body: { holidays: [] } }),
    check: ({ body }) => expect(body.length).to.be.above(8),
  },
  getTeamScheduleOnCall: {
    seed: async (world) => ({ ...(await oneLayered(world)), query: 'at=2026-11-13T23:00:00Z' }),
    check: ({ body }, world) => expect(body.user.userId).to.be.a('string').and.not.equal(world.workspaceId),
  },
  getScheduleReadiness: { seed: oneLayered, check: ({ body }) => expect(body[0].problem).to.equal('nobody') },
  getOnCallReport: {
    seed: async (world) => ({ ...(await oneLayered(world)), query: 'month=2026-11' }),
    check: ({ body }) => expect(body.people).to.have.length(2),
  },
  createScheduleOverride: {
    async seed(world) {
      const { id, scheduleId, userIds } = await seedLayers(world);
      return { params: { id, scheduleId }, body: override(userIds[1]) };
    },
  },
  deleteScheduleOverride: {
    async seed(world) {
      const { id, scheduleId, userIds } = await seedLayers(world);
      const path = `${TEAMS}/${id}/schedules/${scheduleId}/overrides`;
      const { id: overrideId } = await create(world.api, path, override(userIds[1]));
      return { params: { id, scheduleId, overrideId } };
    },
  },
  listEscalationPolicies: {
    seed: async (world) => ({ params: { id: (await onePolicy(world)).params.id } }),
    check: ({ body }) =>
      expect(body.map(({ name, builtIn }: { name: string; builtIn: boolean }) => [name, builtIn])).to.deep.equal([
        ['Nights', false],
        ['Built-in', true],
      ]),
  },
  getEscalationPolicy: {
    seed: onePolicy,
    check: ({ body }) =>
      expect(body.problems).to.deep.equal([{ path: 'steps.0.targets.0', message: 'has no schedule yet' }]),
  },
  createEscalationPolicy: {
    async seed(world) {
      const { id, userIds } = await seedTeam(world);
      return { params: { id }, body: policy(userIds) };
    },
    check: ({ body }, _world, call) => expect(body).to.deep.include(call.body),
  },
  updateEscalationPolicy: {
    seed: async (world) => ({ ...(await onePolicy(world)), body: { repeat: 9, ackTimeout: null } }),
    check: ({ body }) => expect(body).to.deep.include({ name: 'Nights', repeat: 9, ackTimeout: null }),
  },
  deleteEscalationPolicy: { seed: onePolicy },
  listSwaps: {
    seed: async (world) => {
      const { id, scheduleId } = (await oneSwap(world)).params;
      return { params: { id, scheduleId } };
    },
    check: ({ body }) => expect(body).to.have.length(1),
  },
  getSwap: { seed: async (world) => ({ params: (await oneSwap(world)).params }) },
  createSwap: {
    async seed(world) {
      const { id, scheduleId, asks, swap } = await seedSwap(world);
      return { by: asks, params: { id, scheduleId }, body: swap };
    },
  },
  readSwapLink: { seed: swapLink, check: ({ body }) => expect(body.swap.state).to.equal('open') },
  acceptSwapByLink: { seed: swapLink, check: ({ body }) => expect(body.swap.state).to.equal('taken') },
  declineSwapByLink: { seed: swapLink, check: ({ body }) => expect(body.swap.state).to.equal('declined') },
  acceptSwap: {
    async seed(world) {
      const { asked, params } = await oneSwap(world);
      return { by: asked, params };
    },
    check: ({ body }) => expect(body.state).to.equal('taken'),
  },
  declineSwap: {
    async seed(world) {
      const { asked, params } = await oneSwap(world);
      return { by: asked, params };
    },
    check: ({ body }) => expect(body.state).to.equal('declined'),
  },
  withdrawSwap: {
    async seed(world) {
      const { asks, params } = await oneSwap(world);
      return { by: asks, params };
    },
    check: ({ body }) => expect(body.state).to.equal('withdrawn'),
  },
  listCalendarLinks: {
    async seed(world) {
      const { by, id } = await seedCalendarLink(world);
      return { by, params: { id } };
    },
    check: ({ body }) => {
      expect(body).to.have.length(1);
      expect(body[0]).to.have.keys('id', 'userId', 'name', 'created', 'lastRead');
    },
  },
  createCalendarLink: {
    seed: async (world) => ({ ...(await oneSchedule(world)), body: { name: 'My phone' } }),
    check: async ({ body }, world) => {
      const { userId } = await world.member('Viewer');
      expect(body).to.deep.include({ name: 'My phone', userId, lastRead: null });
      expect(body.url).to.match(/\/calendar\/[\w-]{43}\/on-call\.ics$/);
    },
  },
  deleteCalendarLink: {
    async seed(world) {
      const { by, id, linkId } = await seedCalendarLink(world);
      return { by, params: { id, linkId } };
    },
  },
  readLinkedCalendar: {
    seed: async (world) => ({ params: { token: (await seedCalendarLink(world)).token } }),
    check: ({ body }) => expect(body).to.match(/^BEGIN:VCALENDAR\r\n[^]*SUMMARY:Night watch on call/),
  },
  listRoutedServiceGroups: { seed: async (world) => ({ params: { id: (await seedRouting(world)).id } }) },
  // The group of the example has this route already.
  routeServiceGroup: { entries: [], seed: async (world) => ({ params: await seedRouting(world) }) },
  unrouteServiceGroup: { seed: async (world) => ({ params: await seedRouting(world) }) },
};

import { z } from 'zod';
import { entityTag } from '../../platform/http/entity-tag.js';
import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { addOverride, removeOverride } from './overrides.js';
import { previewShifts, readCalendar, readOnCall } from './read-on-call.js';
import { readShifts } from './read-workspace-on-call.js';
import { getSchedule, previewNewSchedule, removeSchedule, setSchedule } from './schedule.js';
import {
  onCallQuery,
  onCallSchema,
  overrideInputSchema,
  overrideSchema,
  previewQuery,
  scheduleInputSchema,
  scheduleSchema,
  shiftSchema,
  shiftsQuery,
  teamShiftsSchema,
} from './schedule-schemas.js';
import { ACCESS, READ, WRITE } from './team-routes.js';

const override = resource({
  ...ACCESS,
  path: '/api/v1/teams/{id}/schedule/overrides',
  name: 'override',
  schema: overrideSchema,
  param: 'overrideId',
});

/** Schedules, overrides and who is on call over REST. */
export function scheduleRoutes(deps: ScheduleDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/teams/{id}/schedule',
      operationId: 'getSchedule',
      summary: 'Get the rotation and the overrides of a team',
      description: 'Before a rotation is set, its fields are null.',
      ...READ,
      answers: { 200: { description: 'The schedule', schema: scheduleSchema } },
      run: ({ actor, params }) => getSchedule(deps, actor, params.id),
    }),
    route({
      method: 'put',
      path: '/api/v1/teams/{id}/schedule',
      operationId: 'setSchedule',
      audits: ['schedule.updated'],
      summary: 'Create or replace the rotation of a team',
      description:
        'This is the first layer of the first schedule of the team. Fields that are left out keep their value. A shift ' +
        'under way ends as planned where its person still takes part. Handoffs happen at the wall-clock time of the zone, also across ' +
        'daylight-saving changes. A weekly rotation hands over on its handoff day, the first time after the start date.',
      ...WRITE,
      body: scheduleInputSchema,
      answers: { 200: { description: 'The schedule as it is now', schema: scheduleSchema } },
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, body }) => setSchedule(deps, actor, params.id, body),
    }),
    route({
      method: 'delete',
      path: '/api/v1/teams/{id}/schedule',
      operationId: 'deleteSchedule',
      audits: ['schedule.deleted'],
      summary: 'End the rotation of a team',
      description: 'Nobody is on call then but by overrides, which stay.',
      ...WRITE,
      answers: { 204: { description: 'It is gone' } },
      run: ({ actor, params }) => removeSchedule(deps, actor, params.id),
    }),
    override.create({
      summary: 'Put somebody on call for a time',
      description: 'In place of the rotation and earlier overrides. A team keeps at most 500 overrides.',
      body: overrideInputSchema,
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, body }) => addOverride(deps, actor, params, body),
    }),
    override.delete({
      summary: 'Remove an override',
      run: ({ actor, params }) => removeOverride(deps, actor, params),
    }),
    route({
      method: 'get',
      path: '/api/v1/teams/{id}/oncall',
      operationId: 'getOnCall',
      summary: 'Get who is on call, now or at another moment',
      description:
        'Suspended people are never on call: the next participant takes their shifts, and their overrides do not count.',
      ...READ,
      query: onCallQuery,
      answers: { 200: { description: 'Who is on call', schema: onCallSchema } },
      run: ({ actor, params, query }) => readOnCall(deps, actor, params, query.at),
    }),
    route({
      method: 'get',
      path: '/api/v1/teams/{id}/schedule/preview',
      operationId: 'previewSchedule',
      summary: 'List the final shifts of a range',
      description:
        'In order, at most 366 days, all on one page. Overrides are applied; every moment belongs to exactly one ' +
        'shift, also those with nobody on call (`source` is `none`). Shifts are cut at the ends of the range.',
      ...READ,
      query: previewQuery,
      answers: { 200: { description: 'The shifts', schema: z.array(shiftSchema) } },
      run: ({ actor, params, query }) => previewShifts(deps, actor, params, query),
    }),
    route({
      method: 'post',
      path: '/api/v1/teams/{id}/schedule/preview',
      operationId: 'previewNewSchedule',
      audits: { none: 'it changes nothing' },
      summary: 'List the final shifts that a rotation would lead to',
      description:
        'The shifts of the next 28 days, as if `setSchedule` had been called with this body. Nothing changes.',
      ...WRITE,
      body: scheduleInputSchema,
      answers: { 200: { description: 'The shifts', schema: z.array(shiftSchema) } },
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, body }) => previewNewSchedule(deps, actor, params.id, body),
    }),
    route({
      method: 'get',
      path: '/api/v1/teams/{id}/schedule.ics',
      operationId: 'getScheduleCalendar',
      summary: 'Get the shifts as an iCalendar feed',
      description: 'RFC 5545, from 30 days ago to 180 days ahead, times in UTC.',
      ...READ,
      produces: ['text/calendar'],
      answers: { 200: { description: 'The calendar' } },
      async handle({ actor, params }) {
        const { text, content } = await readCalendar(deps, actor, params.id);
        return { body: text, type: 'text/calendar; charset=utf-8', headers: { ETag: entityTag(content) } };
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/on-call/shifts',
      operationId: 'listShifts',
      summary: 'List the final shifts and gaps of all teams',
      description:
        'Shifts after all overrides, for a calendar. Every moment of the range is in exactly one shift or gap of each team. ' +
        'Suspended members take no shifts.',
      ...READ,
      query: shiftsQuery,
      answers: { 200: { description: 'The shifts by team', schema: z.array(teamShiftsSchema) } },
      faults: ['not_found'],
      run: ({ actor, query }) => readShifts(deps, actor, query),
    }),
  ];
}

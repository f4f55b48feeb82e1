import { z } from 'zod';
import { entityTag } from '../../platform/http/entity-tag.js';
import { resource } from '../../platform/http/resource.js';
import { route, type Route } from '../../platform/http/route.js';
import { forceQuery } from '../../platform/http/schemas.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { addOverride, removeOverride } from './overrides.js';
import { previewShifts, readOnCall } from './read-on-call.js';
import {
  MAX_SCHEDULES,
  onCallQuery,
  onCallReportSchema,
  onCallSchema,
  overrideInputSchema,
  overrideSchema,
  previewQuery,
  readinessQuery,
  readinessSchema,
  reportQuery,
  schedulesQuery,
  shiftSchema,
  type TeamSchedule,
  teamScheduleInputSchema,
  teamSchedulePatchSchema,
  teamScheduleSchema,
} from './schedule-schemas.js';
import { readOnCallReport, reportCsv } from './on-call-report.js';
import { readReadiness } from './readiness.js';
import {
  createSchedule,
  deleteSchedule,
  getTeamSchedule,
  listSchedules,
  previewSchedule,
  steadyPart,
  updateSchedule,
} from './schedules.js';
import { ACCESS, READ, WRITE } from './team-routes.js';

const SCHEDULES = '/api/v1/teams/{id}/schedules';
const SCHEDULE = `${SCHEDULES}/{scheduleId}` as const;

const schedule = resource({
  ...ACCESS,
  path: SCHEDULES,
  name: 'team schedule',
  schema: teamScheduleSchema,
  param: 'scheduleId',
  answer: (view: TeamSchedule) => ({ body: view, resource: steadyPart(view) }),
});
const override = resource({
  ...ACCESS,
  path: `${SCHEDULE}/overrides`,
  name: 'schedule override',
  schema: overrideSchema,
  param: 'overrideId',
});

/** Schedules with layers over REST. */
export function teamScheduleRoutes(deps: ScheduleDeps): Route[] {
  return [
    schedule.list({
      summary: 'List the schedules of a team',
      description: 'The oldest one first: it is the one that `/schedule` and `/oncall` mean.',
      query: schedulesQuery,
      run: ({ actor, params, query }, rows) => listSchedules(deps, actor, params.id, { ...rows, ...query }),
    }),
    schedule.get({
      summary: 'Get a schedule with its layers and overrides',
      run: ({ actor, params }) => getTeamSchedule(deps, actor, params),
    }),
    schedule.create({
      audits: ['schedule.created'],
      summary: 'Create a schedule with layers',
      description:
        `At most ${MAX_SCHEDULES} per team. Where several layers have somebody on call, the last of them counts. Handoffs ` +
        'and restrictions follow the clocks of the zone.',
      query: forceQuery,
      body: teamScheduleInputSchema,
      faults: ['feature_not_in_plan', 'would_be_unreachable'],
      run: ({ actor, params, query, body }) => createSchedule(deps, actor, params.id, body, query.force),
    }),
    schedule.update({
      method: 'patch',
      audits: ['schedule.updated'],
      summary: 'Change a schedule',
      description:
        'Fields that are left out keep their value; layers are replaced together. The shift under way ends as planned where ' +
        'its person still takes part, and shifts before the change stay as they were.',
      query: forceQuery,
      body: teamSchedulePatchSchema,
      faults: ['feature_not_in_plan', 'would_be_unreachable'],
      run: ({ actor, params, query, body }) => updateSchedule(deps, actor, params, body, query.force),
    }),
    schedule.delete({
      audits: ['schedule.deleted'],
      summary: 'Delete a schedule with its overrides',
      description: 'Where it is the first one, the next takes its place.',
      run: ({ actor, params }) => deleteSchedule(deps, actor, params),
    }),
    route({
      method: 'get',
      path: `${SCHEDULE}/preview`,
      operationId: 'previewTeamSchedule',
      summary: 'List the final shifts of a schedule in a range',
      description: 'As `previewSchedule` for the first schedule of the team.',
      ...READ,
      query: previewQuery,
      answers: { 200: { description: 'The shifts', schema: z.array(shiftSchema) } },
      run: ({ actor, params, query }) => previewShifts(deps, actor, params, query),
    }),
    route({
      method: 'post',
      path: `${SCHEDULES}/preview`,
      operationId: 'previewNewTeamSchedule',
      audits: { none: 'it changes nothing' },
      summary: 'List the final shifts that a new schedule would lead to',
      description: 'As if it had been created with this body. Nothing changes.',
      ...WRITE,
      query: previewQuery,
      body: teamScheduleInputSchema,
      answers: { 200: { description: 'The shifts', schema: z.array(shiftSchema) } },
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, query, body }) => previewSchedule(deps, actor, params, body, query),
    }),
    route({
      method: 'post',
      path: `${SCHEDULE}/preview`,
      operationId: 'previewTeamScheduleChange',
      audits: { none: 'it changes nothing' },
      summary: 'List the final shifts that a change of a schedule would lead to',
      description: 'As if it had been changed with this body. Nothing changes.',
      ...WRITE,
      query: previewQuery,
      body: teamSchedulePatchSchema,
      answers: { 200: { description: 'The shifts', schema: z.array(shiftSchema) } },
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, query, body }) => previewSchedule(deps, actor, params, body, query),
    }),
    route({
      method: 'get',
      path: `${SCHEDULE}/oncall`,
      operationId: 'getTeamScheduleOnCall',
      summary: 'Get who is on call by a schedule, now or at another moment',
      description: 'As `getOnCall` for the first schedule of the team.',
      ...READ,
      query: onCallQuery,
      answers: { 200: { description: 'Who is on call', schema: onCallSchema } },
      run: ({ actor, params, query }) => readOnCall(deps, actor, params, query.at),
    }),
    route({
      method: 'get',
      path: `${SCHEDULE}/readiness`,
      operationId: 'getScheduleReadiness',
      summary: 'List the coming shifts of a schedule with what could prevent an answer',
      description:
        'In order, all on one page. Leads get a mail once a week about the shifts with a problem, and about targets of escalation policies that reach nobody, which are the `problems` of the policies.',
      ...READ,
      query: readinessQuery,
      answers: { 200: { description: 'The shifts', schema: z.array(readinessSchema) } },
      run: ({ actor, params, query }) => readReadiness(deps, actor, params, query.days),
    }),
    route({
      method: 'get',
      path: `${SCHEDULE}/on-call-report`,
      operationId: 'getOnCallReport',
      summary: 'Get hours, pages and fair shares of a month by person',
      description: 'As JSON, or as CSV (RFC 4180) with `format=csv`.',
      ...READ,
      query: reportQuery,
      produces: ['text/csv'],
      answers: { 200: { description: 'The report', schema: onCallReportSchema } },
      async handle({ actor, params, query }) {
        const report = await readOnCallReport(deps, actor, params, query.month);
        if (query.format === 'json') return { body: report };
        const body = reportCsv(report);
        return { body, type: 'text/csv; charset=utf-8', headers: { ETag: entityTag(body) } };
      },
    }),
    override.create({
      audits: ['override.created'],
      summary: 'Put somebody on call by a schedule for a time',
      description: 'In place of its layers and earlier overrides. A team keeps at most 500 overrides.',
      body: overrideInputSchema,
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, body }) => addOverride(deps, actor, params, body),
    }),
    override.delete({
      audits: ['override.deleted'],
      summary: 'Remove an override of a schedule',
      run: ({ actor, params }) => removeOverride(deps, actor, params),
    }),
  ];
}

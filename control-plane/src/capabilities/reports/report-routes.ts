import { z } from 'zod';
import { entityTag } from '../../platform/http/entity-tag.js';
import { type ApiAnswer, route, type Route } from '../../platform/http/route.js';
import type { ReportDeps } from '../figures/index.js';
import { generateReport } from './generate-report.js';
import { listReportSchedules } from './list-report-schedules.js';
import { periodText, REPORT_POLICY, reportDocument } from './report-document.js';
import {
  reportInputSchema,
  reportPeriodQuery,
  reportSchema,
  scheduleListQuery,
  scheduleSchema,
  type ReportView,
} from './report-schemas.js';

const READ = { tag: 'Monitor reports', scopes: ['monitor.admin', 'monitor.read'], role: 'Viewer' } as const;

/** Performance reports on demand, and which are sent by themselves. */
export function reportRoutes(deps: ReportDeps): Route[] {
  return [
    route({
      method: 'post',
      path: '/api/v1/monitor/{id}/report/generate',
      operationId: 'generateReport',
      audits: { none: 'a report changes nothing' },
      summary: 'Generate a performance report over a period',
      description:
        'By default the last 24 hours; `startDate` and `endDate` select another period, within the limits of availability and latency. ' +
        'The HTML form is one self-contained document with charts, suitable for printing, with times in the zone of the workspace.',
      ...READ,
      body: reportInputSchema.default({}),
      produces: ['text/html'],
      answers: { 200: { description: 'The report', schema: reportSchema } },
      async handle({ actor, params, body, wantsPage }) {
        const report = await generateReport(deps, actor.workspace.workspaceId, params.id, body);
        const format = body.format ?? (wantsPage ? 'html' : 'json');
        return format === 'html' ? pageOf(report) : { body: report };
      },
    }),
    route({
      method: 'get',
      // A frame, or a tab that a link opens, sends no headers of ours: its address has to name the workspace.
      path: '/api/v1/workspaces/{workspaceId}/monitor/{id}/report',
      operationId: 'showReport',
      summary: 'Show a performance report over a period',
      description:
        'The HTML form of a report at an address, to look at and to print; the period as in `POST /api/v1/monitor/{id}/report/generate`. ' +
        'Pages of this service may show it in a frame.',
      ...READ,
      workspaceParam: 'workspaceId',
      query: reportPeriodQuery,
      produces: ['text/html'],
      answers: { 200: { description: 'The report as a self-contained document' } },
      async handle({ actor, params, query }) {
        const page = pageOf(await generateReport(deps, actor.workspace.workspaceId, params.id, query));
        const policy = REPORT_POLICY.replace("frame-ancestors 'none'", "frame-ancestors 'self'");
        const framed = { 'Content-Security-Policy': policy, 'X-Frame-Options': 'SAMEORIGIN' };
        return { ...page, headers: { ...framed, ETag: entityTag(page.body) } };
      },
    }),
    route({
      method: 'get',
      path: '/api/v1/report-schedules',
      operationId: 'listReportSchedules',
      summary: 'List monitors with the reports that are sent of them',
      description:
        'By name. Reports are sent at six in the morning in the zone of the workspace: of the day before, on Mondays of the week before, and on ' +
        'the first of the month before. They are set by `reporting` of a monitor. An address that has to confirm first gets none until it has.',
      ...READ,
      query: scheduleListQuery,
      list: true,
      answers: { 200: { description: 'A page of monitors', schema: z.array(scheduleSchema) } },
      run: ({ actor, query: { search, scheduled } }, rows) =>
        listReportSchedules(deps, actor.workspace.workspaceId, { search, isScheduled: scheduled, ...rows }),
    }),
  ];
}

function pageOf(report: ReportView): ApiAnswer {
  return {
    body: reportDocument({ title: `Report: ${report.monitorName}`, covers: periodText(report), reports: [report] }),
    type: 'text/html; charset=utf-8',
    headers: { 'Content-Security-Policy': REPORT_POLICY },
  };
}

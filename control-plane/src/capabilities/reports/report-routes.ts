import { type ApiAnswer, route, type Route } from '../../platform/http/route.js';
import { idParam } from '../../platform/http/schemas.js';
import type { ReportDeps } from '../results/index.js';
import { generateReport } from './generate-report.js';
import { periodText, REPORT_POLICY, reportDocument } from './report-document.js';
import { reportInputSchema, reportSchema, type ReportView } from './report-schemas.js';

/** Performance reports on demand. */
export function reportRoutes(deps: ReportDeps): Route[] {
  return [
    route({
      method: 'post',
      path: '/api/v1/monitor/{id}/report/generate',
      operationId: 'generateReport',
      summary: 'Generate a performance report over a period',
      description:
        'By default the last 24 hours; `startDate` and `endDate` select another period, within the limits of availability and latency. ' +
        'The HTML form is one self-contained document with charts, suitable for printing, with times in the zone of the workspace.',
      tag: 'Monitor reports',
      scopes: ['monitor.admin', 'monitor.read'],
      role: 'Viewer',
      params: idParam,
      body: reportInputSchema.default({}),
      produces: ['text/html'],
      answers: { 200: { description: 'The report', schema: reportSchema } },
      async handle({ actor, params, body, wantsPage }) {
        const report = await generateReport(deps, actor.workspace.workspaceId, params.id, body);
        const format = body.format ?? (wantsPage ? 'html' : 'json');
        return format === 'html' ? pageOf(report) : { body: report };
      },
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

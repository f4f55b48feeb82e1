import type { OutgoingMail } from '../../platform/mail/mailer.js';
import { regionPlace } from '@watchpost/shared/region';
import { html } from '../../platform/http/html.js';
import { latencyText, lengthText, percentText } from '@watchpost/shared/design/texts';
import type { ReportKind } from './decide-due-period.js';
import { periodText, reportDocument } from './report-document.js';
import type { ReportView } from './report-schemas.js';

const KIND_WORDS: Readonly<Record<ReportKind, string>> = { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' };

export interface ReportMailInput {
  to: string;
  kind: ReportKind;
  workspaceName: string;
  /** At least one; all have the same period. */
  reports: readonly ReportView[];
  /** Whether there are more monitors than one mail contains. */
  isCut: boolean;
  baseUrl: string;
}

/** A report as mail: the same document as on demand, and its figures as plain text. */
export function reportMail({ to, kind, workspaceName, reports, isCut, baseUrl }: ReportMailInput): OutgoingMail {
  const covers = periodText(reports[0]!);
  const title = `${KIND_WORDS[kind]} report: ${workspaceName}`;
  const why = `You get this because an email action group of these monitors names you, or because you own the workspace and no group is attached. To end it, switch the report off at the monitor.`;
  const cut = isCut ? ' There are more monitors than one mail can contain: these are the first by name.' : '';
  return {
    to,
    subject: title,
    text: [title, `${covers}${cut}`, ...reports.map((report) => textOf(report)), `${why}\n${baseUrl}`].join('\n\n'),
    html: reportDocument({ title, covers: `${covers}${cut}`, reports, footer: html`<p>${why}</p>` }),
  };
}

function textOf({ monitorName, url, availability, latency, incidents, comparison, regions }: ReportView): string {
  return [
    url === null ? monitorName : `${monitorName} (${url})`,
    `  uptime ${percentText(availability.uptimePercentage)} (before: ${percentText(comparison.uptimePercentage)})${regions.length === 0 ? '' : `, ${availability.totalChecks} checks`}`,
    ...(availability.maintenanceSeconds === 0
      ? []
      : [
          `  maintenance of ${lengthText(availability.maintenanceSeconds * 1_000)} does not count; with it, uptime is ${percentText(availability.uptimePercentageWithMaintenance)}`,
        ]),
    `  latency average ${latencyText(latency.average)}, p95 ${latencyText(latency.p95)}, p99 ${latencyText(latency.p99)} (before: average ${latencyText(comparison.average)})`,
    `  incidents ${incidents.total} (before: ${comparison.incidents})`,
    ...regions.map(
      ({ region, uptimePercentage, average, p95, awaitingFirstChecks }) =>
        `  ${regionPlace(region)}: ${awaitingFirstChecks ? 'awaiting its first checks' : `uptime ${percentText(uptimePercentage)}, average ${latencyText(average)}, p95 ${latencyText(p95)}`}`,
    ),
  ].join('\n');
}

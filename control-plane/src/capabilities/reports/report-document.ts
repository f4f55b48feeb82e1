import { createHash } from 'node:crypto';
import { parseDuration } from '@watchpost/shared/duration';
import { Html, html } from '../../platform/http/html.js';
import { lengthText, momentText, percentText } from '../../platform/pages/moment-text.js';
import { spanBar } from '../../platform/pages/span-bar.js';
import { latencyChart } from './latency-chart.js';
import type { ReportView } from './report-schemas.js';
import { REPORT_STYLE } from './report-style.js';

const STYLE_ELEMENT = new Html(`<style>${REPORT_STYLE}</style>`);
const STYLE_HASH = createHash('sha256').update(REPORT_STYLE).digest('base64');

/** The headers of a report, which has no scripts and no external resources. */
export const REPORT_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`;

export interface ReportFrame {
  title: string;
  /** The subject, below the title. */
  covers: string;
  reports: readonly ReportView[];
  /** At the end, for example why a recipient gets it. */
  footer?: Html;
}

/** A self-contained document for screens, paper and screen readers. */
export function reportDocument({ title, covers, reports, footer }: ReportFrame): string {
  const several = reports.length > 1;
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        ${STYLE_ELEMENT}
      </head>
      <body>
        <header>
          <h1>${title}</h1>
          <p class="soft">${covers}</p>
        </header>
        <main>${several && overview(reports)} ${reports.map((report) => monitorSections(report, several))}</main>
        ${footer && html`<footer class="soft">${footer}</footer>`}
      </body>
    </html> `.text;
}

/** `21 Nov 2026, 00:00 CET to 22 Nov 2026, 00:00 CET`. */
export function periodText({
  periodStart,
  periodEnd,
  timezone,
}: Pick<ReportView, 'periodStart' | 'periodEnd' | 'timezone'>): string {
  return `${momentText(Date.parse(periodStart), timezone)} to ${momentText(Date.parse(periodEnd), timezone)}`;
}

function overview(reports: readonly ReportView[]): Html {
  return html`<section>
    <h2>Overview</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Monitor</th>
            <th scope="col">Uptime</th>
            <th scope="col">Average</th>
            <th scope="col">p95</th>
            <th scope="col">Incidents</th>
          </tr>
        </thead>
        <tbody>
          ${reports.map(
            ({ monitorName, availability, latency, incidents }) =>
              html`<tr>
                <th scope="row">${monitorName}</th>
                <td>${percentText(availability.uptimePercentage)}</td>
                <td>${millisecondsText(latency.average)}</td>
                <td>${millisecondsText(latency.p95)}</td>
                <td>${incidents.total}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function monitorSections(report: ReportView, several: boolean): Html {
  const level = new Html(several ? 'h3' : 'h2');
  const heading = (text: string) => html`<${level}>${text}</${level}>`;
  const { availability, latency, regions, timezone } = report;
  return html`<section>
    ${several && html`<h2>${report.monitorName}</h2>`}
    <p>${!several && html`<strong>${report.monitorName}</strong> · `}${report.url}</p>
    ${heading('Availability')}
    <p>
      <strong>${percentText(availability.uptimePercentage)}</strong> of ${availability.totalChecks} checks were healthy,
      ${availability.unhealthyChecks} were
      not${change(availability.uptimePercentage, report.comparison.uptimePercentage)}.
    </p>
    ${spanBar('Availability', availability.timeline, timezone)} ${timelineText(report)} ${heading('Latency')}
    ${latencyChart(
      report,
      regions.map(({ region, series }) => ({ name: region, series })),
    )}
    ${regionTable(report)}
    <p class="soft">
      Of all regions together: median ${millisecondsText(latency.p50)}, 90th percentile
      ${millisecondsText(latency.p90)}, fastest ${millisecondsText(latency.min)}, slowest
      ${millisecondsText(latency.max)}.
    </p>
    ${heading('Incidents')} ${incidentTable(report)} ${heading('Beside the period before')} ${comparisonTable(report)}
  </section>`;
}

function timelineText({ availability: { timeline }, timezone }: ReportView): Html {
  const total = (status: string) =>
    timeline
      .filter((span) => span.status === status)
      .reduce((sum, { start, end }) => sum + Date.parse(end) - Date.parse(start), 0);
  const parts = (
    [
      ['unavailable', 'unavailable'],
      ['partial', 'partly unavailable: some regions failed, others did not'],
      ['unknown', 'unknown'],
    ] as const
  ).flatMap(([status, words]) => (total(status) > 0 ? [`${lengthText(total(status))} ${words}`] : []));
  return html`<p class="soft">
    ${parts.length === 0 ? 'Available throughout.' : `${parts.join('; ')}.`} An outage reaches above the bar, a partial
    outage is lower, and a line at the foot is unknown. Times are in ${timezone}.
  </p>`;
}

function regionTable({ regions, latency, availability }: ReportView): Html {
  const row = (
    name: string,
    of: Omit<ReportView['regions'][number], 'region' | 'series' | 'awaitingFirstChecks'>,
    note: string | null,
  ) =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${note ?? percentText(of.uptimePercentage)}</td>
      <td>${of.totalChecks}</td>
      <td>${millisecondsText(of.average)}</td>
      <td>${millisecondsText(of.p95)}</td>
      <td>${millisecondsText(of.p99)}</td>
    </tr>`;
  return html`<div class="scroll">
    <table>
      <caption>
        By region
      </caption>
      <thead>
        <tr>
          <th scope="col">Region</th>
          <th scope="col">Uptime</th>
          <th scope="col">Checks</th>
          <th scope="col">Average</th>
          <th scope="col">p95</th>
          <th scope="col">p99</th>
        </tr>
      </thead>
      <tbody>
        ${regions.map((of) => row(of.region, of, of.awaitingFirstChecks ? 'awaiting its first checks' : null))}
        ${row('all', { ...availability, ...latency }, null)}
      </tbody>
    </table>
  </div>`;
}

function incidentTable({ incidents, timezone }: ReportView): Html {
  if (incidents.total === 0) return html`<p>None.</p>`;
  const more = incidents.total - incidents.items.length;
  return html`<p>
      ${incidents.total} in
      all${
        incidents.meanTimeToRecovery !== null &&
        html`; time to recovery ${durationText(incidents.meanTimeToRecovery)} on average,
        ${durationText(incidents.totalTimeToRecovery)} in total`
      }.${more > 0 && ` The newest ${incidents.items.length} are listed.`}
    </p>
    <div class="scroll">
      <table class="left">
        <thead>
          <tr>
            <th scope="col">Started</th>
            <th scope="col">Lasted</th>
            <th scope="col">Kind</th>
            <th scope="col">What was seen</th>
          </tr>
        </thead>
        <tbody>
          ${incidents.items.map(
            ({ started, ended, incidentType, failureReason }) =>
              html`<tr>
                <td>${momentText(Date.parse(started), timezone)}</td>
                <td>${ended === null ? 'still open' : lengthText(Date.parse(ended) - Date.parse(started))}</td>
                <td>${incidentType}</td>
                <td>${failureReason}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

function comparisonTable({ availability, latency, incidents, comparison, timezone }: ReportView): Html {
  const rows: [string, string, string][] = [
    ['Uptime', percentText(availability.uptimePercentage), percentText(comparison.uptimePercentage)],
    ['Checks', String(availability.totalChecks), String(comparison.totalChecks)],
    ['Average latency', millisecondsText(latency.average), millisecondsText(comparison.average)],
    ['95th percentile', millisecondsText(latency.p95), millisecondsText(comparison.p95)],
    ['99th percentile', millisecondsText(latency.p99), millisecondsText(comparison.p99)],
    ['Incidents', String(incidents.total), String(comparison.incidents)],
    ['Mean time to recovery', durationText(incidents.meanTimeToRecovery), durationText(comparison.meanTimeToRecovery)],
  ];
  return html`<div class="scroll">
    <table>
      <caption>
        Before: ${periodText({ ...comparison, timezone })}
      </caption>
      <thead>
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">This period</th>
          <th scope="col">Before</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([name, now, before]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${now}</td>
              <td>${before}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function change(now: number | null, before: number | null): string {
  if (now === null || before === null) return '';
  const points = now - before;
  if (Math.abs(points) < 0.005) return ', as in the period before';
  return `, ${Math.abs(points).toFixed(2)} percentage points ${points > 0 ? 'more' : 'less'} uptime than in the period before`;
}

function millisecondsText(value: number | null): string {
  return value === null ? 'no data' : `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))} ms`;
}

function durationText(iso: string | null): string {
  return iso === null ? 'none' : lengthText(parseDuration(iso) ?? 0);
}

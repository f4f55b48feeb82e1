import { SEVERITY_WORDS } from '@watchpost/shared/incident-types';
import { BRAND_SIGN } from '@watchpost/shared/design/brand';
import { parseDuration } from '@watchpost/shared/duration';
import { regionPlace } from '@watchpost/shared/region';
import { Html, html, htmlDocument } from '../../platform/http/html.js';
import { latencyText, lengthText, momentText, percentText } from '@watchpost/shared/design/texts';
import { barLegend, type BarSpan, describeTotals, sinceWatched, spanBar } from '../../platform/pages/span-bar.js';
import { markShapes } from '../../platform/pages/state-mark.js';
import { latencyChart } from './latency-chart.js';
import type { ReportView } from './report-schemas.js';
import { STYLE } from './report-style.js';

/** The headers of a report, which has no scripts and no external resources. */
export const REPORT_POLICY = `default-src 'none'; style-src ${STYLE.source}; base-uri 'none'; frame-ancestors 'none'; form-action 'none'`;

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
  return htmlDocument(
    html`<title>${title}</title> ${STYLE.element}`,
    html`${markShapes([])}
      <header>
        <p class="brand">${new Html(BRAND_SIGN)}Watchpost</p>
        <h1>${title}</h1>
        <p class="soft">${covers}</p>
      </header>
      <main>${several && overview(reports)} ${reports.map((report) => monitorSections(report, several))}</main>
      ${footer && html`<footer class="soft">${footer}</footer>`}`,
  );
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
  const hasMaintenance = reports.some(({ availability }) => availability.maintenanceSeconds > 0);
  return html`<section>
    <h2>Overview</h2>
    <div class="scroll" role="group" aria-label="Overview" tabindex="0">
      <table>
        <thead>
          <tr>
            <th scope="col">Monitor</th>
            <th scope="col">Uptime</th>
            ${hasMaintenance && html`<th scope="col">With maintenance</th>`}
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
                ${hasMaintenance && html`<td>${percentText(availability.uptimePercentageWithMaintenance)}</td>`}
                <td>${latencyText(latency.average)}</td>
                <td>${latencyText(latency.p95)}</td>
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
  const { latency, regions, timezone, availability, incidents } = report;
  const spans = sinceWatched(availability.timeline, report.watchedSince);
  return html`<section>
    ${several && html`<h2>${report.monitorName}</h2>`}
    <p class="url">
      ${!several && html`<strong>${report.monitorName}</strong>${report.url !== null && ' · '}`}${report.url}
    </p>
    <ul class="figures">
      ${figure(percentText(availability.uptimePercentage), 'uptime')}
      ${figure(latencyText(latency.average), 'average latency')} ${figure(latencyText(latency.p95), 'p95 latency')}
      ${figure(String(incidents.total), incidents.total === 1 ? 'incident' : 'incidents')}
    </ul>
    ${heading('Availability')}
    <p>${availabilityText(report)}</p>
    ${spanBar('Availability', spans, timezone)} ${timelineText(report, spans)} ${heading('Latency')}
    ${latencyChart(
      { ...report, periodStart: spans[0]?.start ?? report.periodStart },
      regions.map(({ region, series }) => ({ name: regionPlace(region), series })),
      incidents,
    )}
    ${regions.length > 0 && regionTable(report)}
    ${
      latency.p50 !== null &&
      html`<p class="soft">
        All regions together: median ${latencyText(latency.p50)}, 90th percentile ${latencyText(latency.p90)}, fastest
        ${latencyText(latency.min)}, slowest ${latencyText(latency.max)}.
      </p>`
    }
    ${heading('Incidents')} ${incidentTable(report)} ${heading('Compared with the period before')}
    ${comparisonTable(report)}
  </section>`;
}

function figure(value: string, name: string): Html {
  return html`<li><strong>${value}</strong><span>${name}</span></li>`;
}

/** `99.65 % uptime: 287 of 288 checks were healthy, and 1 failed.` */
function availabilityText({ availability, comparison }: ReportView): string {
  const {
    totalChecks: total,
    healthyChecks: healthy,
    unhealthyChecks: failed,
    uptimePercentage: uptime,
  } = availability;
  if (uptime === null) return `There are no results in this period.${maintenanceText(availability)}`;
  const compared = `${change(uptime, comparison.uptimePercentage)}${maintenanceText(availability)}`;
  // Of a heartbeat time is counted, not checks.
  if (total === 0) return `${percentText(uptime)} uptime, of the time in which its state was known.${compared}`;
  const counted =
    total === 1
      ? `the only check ${failed === 1 ? 'failed' : 'was healthy'}`
      : failed === 0
        ? `all ${total} checks were healthy`
        : healthy === 0
          ? `all ${total} checks failed`
          : `${healthy} of ${total} checks ${healthy === 1 ? 'was' : 'were'} healthy, and ${failed} failed`;
  return `${percentText(uptime)} uptime: ${counted}.${compared}`;
}

/** ` Maintenance of 2 h does not count; with it, uptime is 98.61 %.` */
function maintenanceText({ maintenanceSeconds, uptimePercentageWithMaintenance }: ReportView['availability']): string {
  if (maintenanceSeconds === 0) return '';
  const length = lengthText(maintenanceSeconds * 1_000);
  return ` Maintenance of ${length} does not count; with it, uptime is ${percentText(uptimePercentageWithMaintenance)}.`;
}

function timelineText({ timezone, availability }: ReportView, spans: readonly BarSpan[]): Html | null {
  const first = spans[0];
  if (!first) return null;
  const since =
    first.start === availability.timeline[0]!.start
      ? ''
      : `Watched since ${momentText(Date.parse(first.start), timezone)}. `;
  const totals = describeTotals(spans) || 'available throughout';
  return html`${barLegend(spans)}
    <p class="soft">${since}${totals[0]!.toUpperCase()}${totals.slice(1)}. Times are in ${timezone}.</p>`;
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
      <td>${latencyText(of.average)}</td>
      <td>${latencyText(of.p95)}</td>
      <td>${latencyText(of.p99)}</td>
    </tr>`;
  return html`<div class="scroll" role="group" aria-label="By region" tabindex="0">
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
        ${regions.map((of) => row(regionPlace(of.region), of, of.awaitingFirstChecks ? 'awaiting its first checks' : null))}
        ${row('All regions', { ...availability, ...latency }, null)}
      </tbody>
    </table>
  </div>`;
}

function incidentTable({ incidents, timezone }: ReportView): Html {
  if (incidents.total === 0) return html`<p>No incidents in this period.</p>`;
  const more = incidents.total - incidents.items.length;
  return html`<p>
      ${incidents.total}
      ${incidents.total === 1 ? 'incident' : 'incidents'}${
        incidents.meanTimeToRecovery !== null &&
        html`; time to recovery ${recoveryText(incidents.meanTimeToRecovery)} on average,
        ${recoveryText(incidents.totalTimeToRecovery)} in total`
      }.${more > 0 && ` The newest ${incidents.items.length} are listed.`}
    </p>
    <div class="scroll" role="group" aria-label="Incidents" tabindex="0">
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
            ({ started, ended, incidentType, severity, worstSeverity, failureReason }) =>
              html`<tr>
                <td>${momentText(Date.parse(started), timezone)}</td>
                <td>${ended === null ? 'still open' : lengthText(Date.parse(ended) - Date.parse(started))}</td>
                <td>${kindText(incidentType, ended === null ? severity : worstSeverity)}</td>
                <td>${failureReason}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
}

type ReportedIncident = ReportView['incidents']['items'][number];

function kindText(incidentType: ReportedIncident['incidentType'], severity: ReportedIncident['severity']): string {
  return incidentType === 'Availability' ? `Availability, ${SEVERITY_WORDS[severity].toLowerCase()}` : incidentType;
}

function comparisonTable({ availability, latency, incidents, comparison, regions, timezone }: ReportView): Html {
  const rows: [string, string, string][] = [
    ['Uptime', percentText(availability.uptimePercentage), percentText(comparison.uptimePercentage)],
    ...(regions.length > 0
      ? [['Checks', String(availability.totalChecks), String(comparison.totalChecks)] as [string, string, string]]
      : []),
    ['Average latency', latencyText(latency.average), latencyText(comparison.average)],
    ['95th percentile', latencyText(latency.p95), latencyText(comparison.p95)],
    ['99th percentile', latencyText(latency.p99), latencyText(comparison.p99)],
    ['Incidents', String(incidents.total), String(comparison.incidents)],
    ['Mean time to recovery', recoveryText(incidents.meanTimeToRecovery), recoveryText(comparison.meanTimeToRecovery)],
  ];
  if (comparison.uptimePercentage === null && comparison.incidents === 0) {
    return html`<p>There are no results from ${periodText({ ...comparison, timezone })}.</p>`;
  }
  return html`<div class="scroll" role="group" aria-label="Compared with the period before" tabindex="0">
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
  if (Math.abs(points) < 0.005) return ' The period before had the same.';
  return ` That is ${Math.abs(points).toFixed(2)} percentage points ${points > 0 ? 'more' : 'less'} than in the period before.`;
}

function recoveryText(iso: string | null): string {
  return iso === null ? 'none' : lengthText(parseDuration(iso) ?? 0);
}

import { regionPlaces } from '@watchpost/shared/region';
import { type Html, html } from '../../platform/http/html.js';
import { plainPage } from '../../platform/http/plain-page.js';
import { momentText } from '@watchpost/shared/design/texts';
import type { IncidentSummary } from './incident-schemas.js';

/** What an acknowledge link is for: one incident, or all of a joint message. */
export type LinkedIncidents = readonly [IncidentSummary, ...IncidentSummary[]];

export interface AcknowledgeState {
  message: string;
  /** The number of those that the link would acknowledge. */
  open: number;
  acknowledged: boolean;
  isClosed: boolean;
}

/** Describes in one sentence what is left to acknowledge. */
export function acknowledgeState(incidents: LinkedIncidents): AcknowledgeState {
  const open = incidents.filter((one) => !one.isClosed && !one.acknowledged).length;
  const isClosed = incidents.every((one) => one.isClosed);
  if (incidents.length === 1) {
    const [{ acknowledged }] = incidents;
    const message = isClosed
      ? 'This incident is already closed. Nothing is left to do.'
      : acknowledged
        ? 'The incident is acknowledged. Nobody else is paged for it.'
        : 'Nobody has acknowledged this incident yet.';
    return { message, open, acknowledged, isClosed };
  }
  const message = isClosed
    ? 'These incidents are already closed. Nothing is left to do.'
    : open === 0
      ? 'The incidents are acknowledged. Nobody else is paged for them.'
      : `Nobody has acknowledged ${open} of these ${incidents.length} incidents yet.`;
  return { message, open, acknowledged: open === 0 && !isClosed, isClosed };
}

export function oneIncidentPage(
  { monitorName, failureReason, started, durationFormatted, regions }: IncidentSummary,
  message: string,
  evidence: string | undefined,
  button: Html | null,
): string {
  return plainPage(
    monitorName,
    html`<h1>${monitorName}</h1>
      <p>${message}</p>
      <ul>
        <li>${failureReason}</li>
        <li>Since <time datetime="${started}">${momentText(Date.parse(started))}</time> (${durationFormatted})</li>
        ${regions.length > 0 && html`<li>Seen from ${regionPlaces(regions)}</li>`}
        ${evidence !== undefined && html`<li><a href="${evidence}">See the evidence</a></li>`}
      </ul>
      ${button}`,
  );
}

export function jointIncidentsPage(incidents: LinkedIncidents, message: string, button: Html | null): string {
  const title = `${incidents.length} incidents`;
  return plainPage(
    title,
    html`<h1>${title}</h1>
      <p>${message}</p>
      ${button}
      <ul>
        ${incidents.map((one) => html`<li><strong>${one.monitorName}</strong>: ${stateOf(one)}. ${one.failureReason} Since <time datetime="${one.started}">${momentText(Date.parse(one.started))}</time> (${one.durationFormatted}).</li>`)}
      </ul>`,
  );
}

function stateOf({ isClosed, acknowledged }: IncidentSummary): string {
  return isClosed ? 'closed' : acknowledged ? 'acknowledged' : 'not acknowledged';
}

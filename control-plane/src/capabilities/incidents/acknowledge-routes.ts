import { z } from 'zod';
import { ACKNOWLEDGE_PATH, readAcknowledgeLink, useAcknowledgeLink } from '../alerts/index.js';
import { type Html, html } from '../../platform/http/html.js';
import { PLAIN_PAGE_HEADERS, plainPage } from '../../platform/http/plain-page.js';
import { momentText } from '../../platform/pages/moment-text.js';
import { type ApiAnswer, route, type Route } from '../../platform/http/route.js';
import { linkQuery, linkTokenParams } from '../../platform/http/schemas.js';
import type { IncidentView } from './describe-incident.js';
import { type IncidentDeps, readIncident } from './read-incidents.js';
import { updateIncident } from './update-incident.js';

const answerSchema = z
  .strictObject({ message: z.string(), incidentId: z.uuid(), acknowledged: z.boolean(), isClosed: z.boolean() })
  .meta({ id: 'PageLinkAnswer' });

export interface AcknowledgeDeps extends IncidentDeps {
  /** Path of the evidence document of an incident. */
  evidencePath(workspaceId: string, incidentId: string): Promise<string | undefined>;
}

/** The acknowledge link in a message to the person on call. GET changes nothing, because mail scanners follow links; POST acknowledges. */
export function acknowledgeRoutes(deps: AcknowledgeDeps): Route[] {
  const shared = {
    path: `${ACKNOWLEDGE_PATH}/{token}`,
    tag: 'Incidents',
    scopes: 'anonymous',
    role: null,
    params: linkTokenParams,
    produces: ['text/html'],
    secretPath: true,
    faults: ['insufficient_workspace_role'],
  } as const;
  return [
    route({
      ...shared,
      method: 'get',
      operationId: 'readPageLink',
      summary: 'Show what an acknowledge link acknowledges',
      description: 'The token in the link is the credential. POST to the same address acknowledges.',
      query: linkQuery,
      answers: { 200: { description: 'The incident, with a button in a browser', schema: answerSchema } },
      async handle({ params: { token }, wantsPage }) {
        const link = await readAcknowledgeLink(deps, token);
        const incident = await deps.db.read((tx) => readIncident(deps, tx, link.workspaceId, link.incidentId));
        const button = html`<form method="post" action="${ACKNOWLEDGE_PATH}/${token}">
          <div class="row"><button>Acknowledge</button></div>
        </form>`;
        return answerOf(deps, wantsPage, incident, isOpen(incident) ? button : null);
      },
    }),
    route({
      ...shared,
      method: 'post',
      operationId: 'acknowledgeByPageLink',
      summary: 'Acknowledge an incident by the link in a message',
      query: linkQuery,
      answers: { 200: { description: 'Acknowledged; the link works once', schema: answerSchema } },
      faults: [...shared.faults, 'incident_closed'],
      async handle({ params: { token }, wantsPage, via }) {
        const { workspaceId, incidentId, userId } = await readAcknowledgeLink(deps, token);
        const person = {
          caller: { userId },
          workspace: { workspaceId },
          via: { ...via, channel: 'link' as const },
        };
        const incident = await updateIncident(deps, person, incidentId, { acknowledged: true });
        await useAcknowledgeLink(deps, token);
        return answerOf(deps, wantsPage, incident, null);
      },
    }),
  ];
}

function isOpen({ isClosed, acknowledged }: IncidentView): boolean {
  return !isClosed && !acknowledged;
}

async function answerOf(
  { evidencePath }: AcknowledgeDeps,
  wantsPage: boolean,
  incident: IncidentView,
  button: Html | null,
): Promise<ApiAnswer> {
  const { id, workspaceId, isClosed, acknowledged, monitorName, started, durationFormatted, regions, failureReason } =
    incident;
  const message = isClosed
    ? 'This incident is already closed. Nothing is left to do.'
    : acknowledged
      ? 'The incident is acknowledged. Nobody else is paged for it.'
      : 'Nobody has acknowledged this incident yet.';
  if (!wantsPage) return { body: { message, incidentId: id, acknowledged, isClosed } };
  const evidence = await evidencePath(workspaceId, id);
  const page = plainPage(
    monitorName,
    html`<h1>${monitorName}</h1>
      <p>${message}</p>
      <ul>
        <li>${failureReason}</li>
        <li>Since <time datetime="${started}">${momentText(Date.parse(started))}</time> (${durationFormatted})</li>
        ${regions.length > 0 && html`<li>Seen from ${regions.join(', ')}</li>`}
        ${evidence !== undefined && html`<li><a href="${evidence}">See the evidence</a></li>`}
      </ul>
      ${button}`,
  );
  return { body: page, type: 'text/html; charset=utf-8', headers: PLAIN_PAGE_HEADERS };
}

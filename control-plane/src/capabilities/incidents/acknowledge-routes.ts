import { z } from 'zod';
import { notFound } from '@watchpost/shared/fault';
import { acknowledgeLinks } from '../delivery/index.js';
import { html } from '../../platform/http/html.js';
import { PLAIN_PAGE_HEADERS } from '../../platform/http/plain-page.js';
import { type ApiAnswer, route, type Route } from '../../platform/http/route.js';
import { BY_LINK } from '../../platform/http/schemas.js';
import { acknowledgeIncidents } from './acknowledge-incidents.js';
import { acknowledgeState, jointIncidentsPage, type LinkedIncidents, oneIncidentPage } from './acknowledge-page.js';
import { type IncidentDeps, readSomeIncidents } from './read-incidents.js';

const answerSchema = z
  .strictObject({
    message: z.string(),
    incidentId: z.uuid().meta({ description: 'The first of `incidents`.' }),
    acknowledged: z.boolean().meta({ description: 'Of several: whether none is left to acknowledge.' }),
    isClosed: z.boolean().meta({ description: 'Of several: whether all are.' }),
    incidents: z
      .array(
        z.strictObject({
          incidentId: z.uuid(),
          monitorName: z.string(),
          acknowledged: z.boolean(),
          isClosed: z.boolean(),
        }),
      )
      .meta({ description: 'One, or all of a message about several.' }),
  })
  .meta({ id: 'PageLinkAnswer' });

export interface AcknowledgeDeps extends IncidentDeps {
  evidencePath(workspaceId: string, incidentId: string): Promise<string | undefined>;
}

/**
 * The acknowledge links in a message to the person on call. GET changes nothing, because mail scanners follow links; POST
 * acknowledges.
 */
export function acknowledgeRoutes(deps: AcknowledgeDeps): Route[] {
  const shared = {
    path: `${acknowledgeLinks.path}/{token}`,
    tag: 'Incidents',
    ...BY_LINK,
    produces: ['text/html'],
    faults: ['insufficient_workspace_role'],
  } as const;
  return [
    route({
      ...shared,
      method: 'get',
      operationId: 'readPageLink',
      summary: 'Show what an acknowledge link acknowledges',
      description: 'The token in the link is the credential. POST to the same address acknowledges.',
      answers: { 200: { description: 'The incidents, with a button in a browser', schema: answerSchema } },
      async handle({ params: { token }, wantsPage }) {
        const { workspaceId, incidentIds } = await acknowledgeLinks.read(deps, token);
        const incidents = await readLinked(deps, workspaceId, incidentIds);
        return answerOf(deps, incidents, { wantsPage, token });
      },
    }),
    route({
      ...shared,
      method: 'post',
      operationId: 'acknowledgeByPageLink',
      audits: ['incident.acknowledged'],
      summary: 'Acknowledge incidents by the link in a message',
      description: 'Those of a message about several that are closed are left as they are.',
      answers: { 200: { description: 'Acknowledged; the link works once', schema: answerSchema } },
      faults: [...shared.faults, 'incident_closed'],
      async handle({ params: { token }, wantsPage, via }) {
        const { workspaceId, incidentIds, userId } = await acknowledgeLinks.read(deps, token);
        const person = {
          caller: { userId },
          workspace: { workspaceId },
          via: { ...via, channel: 'link' as const },
        };
        await acknowledgeIncidents(deps, person, incidentIds);
        await acknowledgeLinks.use(deps, token);
        return answerOf(deps, await readLinked(deps, workspaceId, incidentIds), { wantsPage, token: null });
      },
    }),
  ];
}

/** Those of these incidents that still exist. @throws Fault not_found where none does */
async function readLinked(deps: IncidentDeps, workspaceId: string, ids: readonly string[]): Promise<LinkedIncidents> {
  const [first, ...others] = await readSomeIncidents(deps, workspaceId, ids);
  if (!first) throw notFound('incident');
  return [first, ...others];
}

/** @param token of the link; null where it was used */
async function answerOf(
  { evidencePath }: AcknowledgeDeps,
  incidents: LinkedIncidents,
  { wantsPage, token }: { wantsPage: boolean; token: string | null },
): Promise<ApiAnswer> {
  const [first] = incidents;
  const { message, open, acknowledged, isClosed } = acknowledgeState(incidents);
  if (!wantsPage) {
    const listed = incidents.map((one) => ({
      incidentId: one.id,
      monitorName: one.monitorName,
      acknowledged: one.acknowledged,
      isClosed: one.isClosed,
    }));
    return { body: { message, incidentId: first.id, acknowledged, isClosed, incidents: listed } };
  }
  const button =
    token === null || open === 0
      ? null
      : html`<form method="post" action="${acknowledgeLinks.path}/${token}">
          <div class="row"><button>${open > 1 ? `Acknowledge all ${open}` : 'Acknowledge'}</button></div>
        </form>`;
  const body =
    incidents.length > 1
      ? jointIncidentsPage(incidents, message, button)
      : oneIncidentPage(first, message, await evidencePath(first.workspaceId, first.id), button);
  return { body, type: 'text/html; charset=utf-8', headers: PLAIN_PAGE_HEADERS };
}

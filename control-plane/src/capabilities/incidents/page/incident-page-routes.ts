import { z } from 'zod';
import { EVIDENCE_PATH } from '../../alerts/index.js';
import { entityTag } from '../../../platform/http/entity-tag.js';
import { route, type Route } from '../../../platform/http/route.js';
import { INCIDENT_PAGE_HEADERS, incidentDocument } from './incident-document.js';
import { type IncidentPageDeps, readIncidentPage } from './read-incident-page.js';

export interface IncidentPageRouteDeps extends IncidentPageDeps {
  /** Rejects where an address asks for too much. */
  limit: { take(remoteAddress: string): Promise<void> };
}

/** The page of an incident, for whoever was alerted of it: it shows, and changes nothing. */
export function incidentPageRoutes(deps: IncidentPageRouteDeps): Route[] {
  return [
    route({
      method: 'get',
      path: `${EVIDENCE_PATH}/{token}`,
      operationId: 'getIncidentPage',
      summary: 'An incident with its evidence, to look at',
      description:
        'The link in messages about an incident leads here; the token in it is the credential. It is good until 30 days ' +
        'after the incident was closed, and as long as its monitor is there.',
      tag: 'Incidents',
      scopes: 'anonymous',
      role: null,
      // Any text: what is no token is not found.
      params: z.strictObject({ token: z.string() }),
      // What chats and mail programs add to links.
      query: z.looseObject({}),
      produces: ['text/html'],
      secretPath: true,
      faults: ['rate_limited'],
      answers: { 200: { description: 'The page, complete without scripts' } },
      async handle({ params, remoteAddress }) {
        await deps.limit.take(remoteAddress);
        const body = incidentDocument(await readIncidentPage(deps, params.token));
        return { body, type: 'text/html; charset=utf-8', headers: { ...INCIDENT_PAGE_HEADERS, ETag: entityTag(body) } };
      },
    }),
  ];
}

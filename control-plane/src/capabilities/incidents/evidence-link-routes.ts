import { z } from 'zod';
import { route, type Route } from '../../platform/http/route.js';
import { pageQuery, rowsOfPage } from '../../platform/http/schemas.js';
import { evidenceLinkSchema, sharedLinkSchema } from './evidence-link-schemas.js';
import { type EvidenceLinkDeps, listEvidenceLinks, revokeEvidenceLinks, shareEvidence } from './evidence-links.js';

const shared = {
  path: '/api/v1/incident/{incidentId}/evidence-links',
  tag: 'Incidents',
  role: 'Responder',
} as const;

/** The links that give recipients of notifications access to the evidence of an incident. */
export function evidenceLinkRoutes(deps: EvidenceLinkDeps): Route[] {
  return [
    route({
      ...shared,
      method: 'get',
      operationId: 'listEvidenceLinks',
      summary: 'List the links to the evidence of an incident that were sent, newest first',
      description:
        'One for each channel: all messages of a channel about an incident carry the same link. The link itself is not shown.',
      scopes: ['monitor.admin', 'incident.read'],
      query: pageQuery,
      list: true,
      answers: { 200: { description: 'The links', schema: z.array(evidenceLinkSchema) } },
      async handle({ actor, params: { incidentId }, query }) {
        const links = await listEvidenceLinks(deps, actor, incidentId);
        const { limit, offset } = rowsOfPage(query);
        return { body: links.slice(offset, offset + limit), total: links.length };
      },
    }),
    route({
      ...shared,
      method: 'post',
      operationId: 'shareEvidence',
      audits: ['incident.evidence_shared'],
      summary: 'Get a link to the evidence of an incident, to pass on',
      description:
        'Everybody who has the link can read the evidence without signing in. It is the same each time until the links are revoked.',
      scopes: ['monitor.admin', 'incident.write'],
      answers: { 200: { description: 'The link', schema: sharedLinkSchema } },
      async handle({ actor, params: { incidentId } }) {
        return { body: await shareEvidence(deps, actor, incidentId) };
      },
    }),
    route({
      ...shared,
      method: 'delete',
      operationId: 'revokeEvidenceLinks',
      audits: ['incident.evidence_links_revoked'],
      summary: 'Make all links to the evidence of an incident useless',
      description: 'Later messages about the incident carry new links.',
      scopes: ['monitor.admin', 'incident.write'],
      answers: { 204: { description: 'No link works any more' } },
      run: ({ actor, params: { incidentId } }) => revokeEvidenceLinks(deps, actor, incidentId),
    }),
  ];
}

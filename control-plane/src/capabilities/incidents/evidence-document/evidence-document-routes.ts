import { EVIDENCE_PATH } from '../../delivery/index.js';
import { entityTag } from '../../../platform/http/entity-tag.js';
import { route, type Route } from '../../../platform/http/route.js';
import { BY_LINK } from '../../../platform/http/schemas.js';
import { EVIDENCE_DOCUMENT_HEADERS, evidenceDocument } from './evidence-document.js';
import { type EvidenceDocumentDeps, readEvidenceDocument } from './read-evidence-document.js';

export interface EvidenceDocumentRouteDeps extends EvidenceDocumentDeps {
  /** Rejects when an address makes too many requests. */
  limit: { take(remoteAddress: string): Promise<void> };
}

/** The evidence document of an incident, for everybody who has its link. Read-only. */
export function evidenceDocumentRoutes(deps: EvidenceDocumentRouteDeps): Route[] {
  return [
    route({
      method: 'get',
      path: `${EVIDENCE_PATH}/{token}`,
      operationId: 'getIncidentPage',
      summary: 'Show an incident with its evidence',
      description:
        'Messages about an incident link here; the token in the link is the credential. It is valid until 30 days after the ' +
        'incident was closed, as long as its monitor exists.',
      tag: 'Incidents',
      ...BY_LINK,
      produces: ['text/html'],
      faults: ['rate_limited'],
      answers: { 200: { description: 'An HTML document without scripts' } },
      async handle({ params, remoteAddress }) {
        await deps.limit.take(remoteAddress);
        const body = evidenceDocument(await readEvidenceDocument(deps, params.token));
        return {
          body,
          type: 'text/html; charset=utf-8',
          headers: { ...EVIDENCE_DOCUMENT_HEADERS, ETag: entityTag(body) },
        };
      },
    }),
  ];
}

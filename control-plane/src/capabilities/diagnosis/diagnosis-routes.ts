import { route, type Route } from '../../platform/http/route.js';
import { diagnosisQuery, diagnosisSchema } from './diagnosis-schemas.js';
import { type DiagnosisDeps, readDiagnosis } from './read-diagnosis.js';

/** The diagnosis of an incident over REST. */
export function diagnosisRoutes(deps: DiagnosisDeps): Route[] {
  return [
    route({
      method: 'get',
      path: '/api/v1/incident/{id}/diagnosis',
      operationId: 'getIncidentDiagnosis',
      summary: 'Get what the first minutes of an incident need',
      description:
        'The likely cause, what was seen first, what changed before, what else fails, earlier incidents like it, who knows, and what to do ' +
        'next: at most 16 KiB. What could not be had is named in `missing`.',
      tag: 'Incidents',
      scopes: ['monitor.admin', 'incident.read'],
      role: 'Viewer',
      query: diagnosisQuery,
      answers: { 200: { description: 'The diagnosis', schema: diagnosisSchema } },
      run: ({ actor, params, query }) => readDiagnosis(deps, actor, params.id, query),
    }),
  ];
}

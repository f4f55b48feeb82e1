import { z } from 'zod';
import { route, type Route } from '../../platform/http/route.js';
import { checkQuery, diagnosisQuery, diagnosisSchema, recheckSchema } from './diagnosis-schemas.js';
import { checkMonitor, type DiagnosisDeps, readDiagnosis } from './read-diagnosis.js';

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
    route({
      method: 'post',
      path: '/api/v1/monitor/{id}/check',
      operationId: 'checkMonitor',
      audits: { none: 'a test changes nothing' },
      summary: 'Check a monitor now',
      description:
        'Once, from up to three of its places or the one that `region` names, each as a one-off test. Nothing is stored or counted. `unavailable` where it is paused, or ' +
        'its requests may change something.',
      tag: 'Monitors',
      scopes: ['monitor.admin', 'incident.write'],
      role: 'Responder',
      answers: { 200: { description: 'The checks', schema: z.array(recheckSchema) } },
      faults: ['unavailable'],
      query: checkQuery,
      run: ({ actor, params, query }) => checkMonitor(deps, actor, params.id, query.region),
    }),
  ];
}

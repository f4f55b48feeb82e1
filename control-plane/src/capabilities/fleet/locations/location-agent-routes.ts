import { resource } from '../../../platform/http/resource.js';
import { route, type Route } from '../../../platform/http/route.js';
import { LOCATION_ACCESS } from '../../locations/index.js';
import {
  locationAgentCreateSchema,
  locationAgentSchema,
  MAX_LOCATION_AGENTS,
  newLocationAgentSchema,
} from './location-agent-schemas.js';
import {
  createLocationAgent,
  type LocationAgentDeps,
  listLocationAgents,
  revokeLocationAgent,
} from './location-agents.js';

const path = '/api/v1/private-locations/{id}/agents';
const agent = resource({
  ...LOCATION_ACCESS,
  path,
  name: 'location agent',
  schema: locationAgentSchema,
  param: 'agentId',
});

export function locationAgentRoutes(deps: LocationAgentDeps): Route[] {
  return [
    agent.list({
      summary: 'List the agents of a private location',
      description: 'Newest first, without revoked ones.',
      run: ({ actor, params }, rows) => listLocationAgents(deps, actor, params.id, rows),
    }),
    agent.create({
      audits: ['private_location.agent_created'],
      summary: 'Create an agent of a private location',
      description:
        `The answer contains its token, this once. At most ${MAX_LOCATION_AGENTS} agents share the checks of a location, and go on with ` +
        'those of one that is lost.',
      body: locationAgentCreateSchema,
      created: newLocationAgentSchema,
      faults: ['plan_limit_exceeded'],
      run: ({ actor, params, body }) => createLocationAgent(deps, actor, params.id, body),
      answer: ({ token, ...shown }) => ({ body: { ...shown, token }, repeatedBody: shown, resource: shown }),
    }),
    route({
      ...LOCATION_ACCESS.write,
      method: 'post',
      path: `${path}/{agentId}/revoke`,
      operationId: 'revokeLocationAgent',
      audits: ['private_location.agent_revoked'],
      summary: 'Revoke an agent of a private location',
      description: 'Its token and certificate are refused from now on, and its connection ends. It cannot be undone.',
      answers: { 204: { description: 'It is revoked' } },
      run: ({ actor, params }) => revokeLocationAgent(deps, actor, params),
    }),
  ];
}

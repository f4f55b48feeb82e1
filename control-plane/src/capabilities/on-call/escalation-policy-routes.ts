import { resource } from '../../platform/http/resource.js';
import type { Route } from '../../platform/http/route.js';
import { createPolicy, deletePolicy, getPolicy, listPolicies, updatePolicy } from './escalation-policies.js';
import {
  escalationPolicyInputSchema,
  escalationPolicyPatchSchema,
  escalationPolicySchema,
  MAX_POLICIES,
} from './escalation-policy-schemas.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { ACCESS } from './team-routes.js';

const policy = resource({
  ...ACCESS,
  path: '/api/v1/teams/{id}/escalation-policies',
  name: 'escalation policy',
  schema: escalationPolicySchema,
  param: 'policyId',
});

/** Escalation policies over REST. */
export function escalationPolicyRoutes(deps: ScheduleDeps): Route[] {
  return [
    policy.list({
      summary: 'List the escalation policies of a team',
      description:
        'In the order in which they count: the first one with the severity of an incident. The built-in one is the last.',
      run: ({ actor, params }, rows) => listPolicies(deps, actor, params.id, rows),
    }),
    policy.get({
      summary: 'Get an escalation policy',
      run: ({ actor, params }) => getPolicy(deps, actor, params),
    }),
    policy.create({
      summary: 'Create an escalation policy',
      description:
        `At most ${MAX_POLICIES} per team. A step that reaches nobody moves on to the next one at once, and the timeline of the ` +
        'incident states why.',
      body: escalationPolicyInputSchema,
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, body }) => createPolicy(deps, actor, params.id, body),
    }),
    policy.update({
      method: 'patch',
      summary: 'Change an escalation policy',
      description:
        'Fields that are left out keep their value; steps are replaced together. Paging under way goes on with the step of the ' +
        'same number.',
      body: escalationPolicyPatchSchema,
      faults: ['feature_not_in_plan'],
      run: ({ actor, params, body }) => updatePolicy(deps, actor, params, body),
    }),
    policy.delete({
      summary: 'Delete an escalation policy',
      description: 'Paging under way begins again with the policy that counts then.',
      run: ({ actor, params }) => deletePolicy(deps, actor, params),
    }),
  ];
}

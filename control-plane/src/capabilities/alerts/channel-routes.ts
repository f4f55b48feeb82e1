import { route, type Route } from '../../platform/http/route.js';
import { idParam } from '../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES, type ActionGroupType } from './action-group.js';
import { type AlertRules, actionGroupInputSchemas, type ActionGroupInputs } from './action-group-input-schemas.js';
import { actionGroupSchemas, answerRevealed, revealedGroupSchemas } from './action-group-schemas.js';
import { type AlertDeps, READ_ALERTS, WRITE_ALERTS } from './alert-deps.js';
import { createActionGroup } from './create-action-group.js';
import { getActionGroup } from './read-action-groups.js';
import { updateActionGroup } from './update-action-group.js';

const tag = 'Action groups';

const NAMES: Readonly<Record<ActionGroupType, { id: string; title: string; article: string }>> = {
  email: { id: 'Email', title: 'email', article: 'an' },
  sms: { id: 'Sms', title: 'SMS', article: 'an' },
  webhook: { id: 'Webhook', title: 'webhook', article: 'a' },
  slack: { id: 'Slack', title: 'Slack', article: 'a' },
  teams: { id: 'Teams', title: 'Microsoft Teams', article: 'a' },
};

/** Action groups of each type over REST. A group of another type is not found. */
export function channelRoutes(deps: AlertDeps, rules: AlertRules): Route[] {
  const inputs = actionGroupInputSchemas(rules);
  return ACTION_GROUP_TYPES.flatMap((type) => [
    createRoute(deps, type, inputs),
    getRoute(deps, type),
    updateRoute(deps, type, inputs),
  ]);
}

function createRoute(deps: AlertDeps, type: ActionGroupType, inputs: ActionGroupInputs): Route {
  const { id, title, article } = NAMES[type];
  return route({
    method: 'post',
    path: `/api/v1/action-groups/${type}`,
    operationId: `create${id}ActionGroup`,
    audits: ['action_group.created'],
    summary: `Create ${article} ${title} group`,
    tag,
    scopes: WRITE_ALERTS,
    role: 'Editor',
    body: inputs[type].create,
    answers: { 201: { description: 'The action group', schema: revealedGroupSchemas[type] } },
    faults: ['plan_limit_exceeded'],
    async handle({ actor, body }) {
      const created = await createActionGroup(deps, actor, type, body);
      const location = `/api/v1/action-groups/${type}/${created.group.id}`;
      return { ...answerRevealed(created), status: 201, location };
    },
  });
}

function getRoute(deps: AlertDeps, type: ActionGroupType): Route {
  const { id, title, article } = NAMES[type];
  return route({
    method: 'get',
    path: `/api/v1/action-groups/${type}/{id}`,
    operationId: `get${id}ActionGroup`,
    summary: `Get ${article} ${title} group`,
    tag,
    scopes: READ_ALERTS,
    role: 'Viewer',
    params: idParam,
    answers: { 200: { description: 'The action group', schema: actionGroupSchemas[type] } },
    handle: async ({ actor, params }) => ({ body: await getActionGroup(deps, actor, { id: params.id, type }) }),
  });
}

function updateRoute(deps: AlertDeps, type: ActionGroupType, inputs: ActionGroupInputs): Route {
  const { id, title, article } = NAMES[type];
  return route({
    method: 'put',
    path: `/api/v1/action-groups/${type}/{id}`,
    operationId: `update${id}ActionGroup`,
    audits: ['action_group.updated'],
    summary: `Change ${article} ${title} group`,
    description: 'Omitted fields keep their value.',
    tag,
    scopes: WRITE_ALERTS,
    role: 'Editor',
    params: idParam,
    body: inputs[type].update,
    answers: { 200: { description: 'The action group as it is now', schema: actionGroupSchemas[type] } },
    faults: ['plan_limit_exceeded'],
    async handle({ actor, params, body, checkPrecondition }) {
      const target = { id: params.id, type };
      return {
        body: await updateActionGroup(deps, actor, target, body, checkPrecondition),
      };
    },
  });
}

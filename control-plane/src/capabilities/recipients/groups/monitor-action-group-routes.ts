import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { pageQuery, uuid } from '../../../platform/http/schemas.js';
import { type ActionGroupType, type AlertRules, channelOf } from '../../channels/index.js';
import { actionGroupInputSchemas } from './action-group-input-schemas.js';
import {
  actionGroupSchema,
  actionGroupSchemaOf,
  answerRevealed,
  revealedGroupSchemaOf,
} from './action-group-schemas.js';
import { type AlertDeps, READ_ALERTS, WRITE_ALERTS } from '../../delivery/index.js';
import { createActionGroup } from './create-action-group.js';
import { deleteActionGroup } from './delete-action-group.js';
import { getActionGroup, listActionGroups } from './read-action-groups.js';
import { updateActionGroup } from './update-action-group.js';

/** RFC 9745 §2.1: the time of the deprecation, in seconds; RFC 5829 §3: the successor. */
const legacy = {
  tag: 'Alert actions of a monitor (legacy)',
  deprecated: true,
  headers: { Deprecation: '@1795219200', Link: '</api/v1/action-groups>; rel="successor-version"' },
} as const;
const READ = { ...legacy, scopes: READ_ALERTS, role: 'Viewer' } as const;
const WRITE = { ...legacy, scopes: WRITE_ALERTS, role: 'Editor' } as const;

/** The legacy interface, in which action groups belong to a monitor. It works on the same records. */
export function monitorActionGroupRoutes(deps: AlertDeps, rules: AlertRules): Route[] {
  return [
    listRoute(deps, undefined),
    createRoute(deps, rules, 'email'),
    listRoute(deps, 'email'),
    getEmailRoute(deps),
    updateRoute(deps, rules, 'email'),
    deleteRoute(deps, 'email'),
    createRoute(deps, rules, 'sms'),
    listRoute(deps, 'sms'),
    deleteRoute(deps, 'sms'),
    createRoute(deps, rules, 'webhook'),
    listRoute(deps, 'webhook'),
    updateRoute(deps, rules, 'webhook'),
    deleteRoute(deps, 'webhook'),
  ];
}

const pathOf = (type: ActionGroupType) => `/api/v1/monitor/{monitorId}/${type}-action-group` as const;

function listRoute(deps: AlertDeps, type: ActionGroupType | undefined): Route {
  const channel = type && channelOf(type);
  return route({
    ...READ,
    method: 'get',
    path: type ? pathOf(type) : '/api/v1/monitor/{monitorId}/action-groups',
    operationId: `listMonitor${channel?.id ?? ''}ActionGroups`,
    summary: `List the ${channel ? `${channel.title} ` : 'action '}groups of a monitor`,
    description: 'Newest first.',
    query: pageQuery,
    list: true,
    answers: {
      200: {
        description: 'A list page of action groups',
        schema: z.array<z.ZodType>(type ? actionGroupSchemaOf(type) : actionGroupSchema),
      },
    },
    run: ({ actor, params: { monitorId } }, rows) => listActionGroups(deps, actor, { type, monitorId }, rows),
  });
}

function createRoute(deps: AlertDeps, rules: AlertRules, type: ActionGroupType): Route {
  const { id, title } = channelOf(type);
  return route({
    ...WRITE,
    method: 'post',
    path: pathOf(type),
    operationId: `createMonitor${id}ActionGroup`,
    audits: ['action_group.created'],
    summary: `Create an action group for ${title} and attach it to a monitor`,
    body: actionGroupInputSchemas(rules, type).create,
    answers: { 201: { description: 'The action group', schema: revealedGroupSchemaOf(type) } },
    faults: ['plan_limit_exceeded'],
    async handle({ actor, params: { monitorId }, body }) {
      const created = await createActionGroup(deps, actor, type, body as { name: string }, { monitorId });
      const under =
        type === 'email' ? `/api/v1/monitor/${monitorId}/email-action-group` : `/api/v1/action-groups/${type}`;
      return { ...answerRevealed(created), status: 201, location: `${under}/${created.group.id}` };
    },
  });
}

function getEmailRoute(deps: AlertDeps): Route {
  return route({
    ...READ,
    method: 'get',
    path: `${pathOf('email')}/{id}`,
    operationId: 'getMonitorEmailActionGroup',
    summary: 'Get an email group of a monitor',
    answers: { 200: { description: 'The action group', schema: actionGroupSchemaOf('email') } },
    run: ({ actor, params }) => getActionGroup(deps, actor, { ...params, type: 'email' }),
  });
}

function updateRoute(deps: AlertDeps, rules: AlertRules, type: ActionGroupType): Route {
  const { id, title } = channelOf(type);
  const { update } = actionGroupInputSchemas(rules, type);
  return route({
    ...WRITE,
    method: 'put',
    path: pathOf(type),
    operationId: `updateMonitor${id}ActionGroup`,
    audits: ['action_group.updated'],
    summary: `Change an action group for ${title} of a monitor`,
    description:
      'The body contains the `id` of the group. The group changes for every monitor that it is attached to; omitted fields keep their value.',
    body: z.strictObject({ id: uuid, ...update.shape }).meta({ id: `Monitor${id}ActionGroupUpdate` }),
    answers: { 200: { description: 'The action group as it is now', schema: actionGroupSchemaOf(type) } },
    faults: ['plan_limit_exceeded'],
    async handle({ actor, params, body }) {
      const { id: groupId, ...input } = body;
      const target = { id: groupId, type, monitorId: params.monitorId };
      return {
        body: await updateActionGroup(deps, actor, target, input),
      };
    },
  });
}

function deleteRoute(deps: AlertDeps, type: ActionGroupType): Route {
  const { id, title } = channelOf(type);
  return route({
    ...WRITE,
    method: 'delete',
    path: `${pathOf(type)}/{id}`,
    operationId: `deleteMonitor${id}ActionGroup`,
    audits: ['action_group.deleted'],
    summary: `Detach an action group for ${title} from a monitor`,
    description: 'The group is deleted if no other monitor and no default of the workspace uses it.',
    answers: { 204: { description: 'The group is detached from the monitor' } },
    run: ({ actor, params }) => deleteActionGroup(deps, actor, { ...params, type }),
  });
}

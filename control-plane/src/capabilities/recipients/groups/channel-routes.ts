import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { resource } from '../../../platform/http/resource.js';
import { type ActionGroupType, type AlertRules, type Channel, CHANNELS, kindOf } from '../../channels/index.js';
import { actionGroupInputSchemas } from './action-group-input-schemas.js';
import { actionGroupSchemaOf, answerRevealed, channelSchema, revealedGroupSchemaOf } from './action-group-schemas.js';
import { type AlertDeps, READ_ALERTS, WRITE_ALERTS } from '../../delivery/index.js';
import { createActionGroup } from './create-action-group.js';
import { getActionGroup } from './read-action-groups.js';
import { updateActionGroup } from './update-action-group.js';

const tag = 'Action groups';
const READ = { scopes: READ_ALERTS, role: 'Viewer' } as const;
const WRITE = { scopes: WRITE_ALERTS, role: 'Editor' } as const;

/** The channels, and the action groups of each over REST. A group of another channel is not found. */
export function channelRoutes(deps: AlertDeps, rules: AlertRules): Route[] {
  return [listRoute(), ...CHANNELS.flatMap((channel) => groupRoutes(deps, rules, channel))];
}

function listRoute(): Route {
  const body = CHANNELS.map(describeChannel);
  return route({
    ...READ,
    tag,
    method: 'get',
    path: '/api/v1/channels',
    operationId: 'listChannels',
    summary: 'List the channels by which action groups notify',
    description: 'Each with the fields of its groups, from which a form can be drawn. Not paged.',
    answers: { 200: { description: 'All channels', schema: z.array(channelSchema) } },
    handle: () => Promise.resolve({ body }),
  });
}

function groupRoutes(
  deps: AlertDeps,
  rules: AlertRules,
  { type, id, title, article, isMadeWithMonitor }: Channel<ActionGroupType>,
): Route[] {
  const inputs = actionGroupInputSchemas(rules, type);
  const groups = resource<object>({
    path: `/api/v1/action-groups/${type}`,
    name: 'action group',
    tag,
    schema: actionGroupSchemaOf(type),
    read: READ,
    write: WRITE,
  });
  return [
    ...(isMadeWithMonitor
      ? []
      : [
          groups.create({
            operationId: `create${id}ActionGroup`,
            summary: `Create ${article} ${title} group`,
            body: inputs.create,
            created: revealedGroupSchemaOf(type),
            faults: ['plan_limit_exceeded'],
            run: ({ actor, body }) => createActionGroup(deps, actor, type, body as { name: string }),
            answer: answerRevealed,
          }),
        ]),
    groups.get({
      operationId: `get${id}ActionGroup`,
      summary: `Get ${article} ${title} group`,
      run: ({ actor, params }) => getActionGroup(deps, actor, { id: params.id, type }),
    }),
    groups.update({
      method: 'put',
      operationId: `update${id}ActionGroup`,
      summary: `Change ${article} ${title} group`,
      description: 'Omitted fields keep their value.',
      body: inputs.update,
      faults: ['plan_limit_exceeded'],
      run: ({ actor, params, body }) => updateActionGroup(deps, actor, { id: params.id, type }, body),
    }),
  ];
}

function describeChannel({
  type,
  title,
  category,
  fields,
  alternatives = [],
  isPersonal,
  edit,
  isSigned = false,
  isMadeWithMonitor = false,
  presses,
}: Channel): z.output<typeof channelSchema> {
  return {
    type,
    title,
    category,
    fields: fields.map((field) => {
      const { name, title: label, kind, isRequired = true, example, help } = field;
      return { name, title: label, kind, required: isRequired, secret: kindOf(field).isSecret, example, help };
    }),
    alternatives: alternatives.map((names) => [...names]),
    personal: isPersonal,
    signed: isSigned,
    madeWithMonitor: isMadeWithMonitor,
    canEdit: edit !== undefined,
    canAcknowledge: presses !== undefined,
  };
}

import { z, type ZodType } from 'zod';
import { uuid } from '../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES, type ActionGroupType, channelOf, type GroupInput } from '../channels/index.js';
import { configuredByGroupInput } from '../recipients/index.js';
import { configuredByWindowInput, type WindowCreateInput } from '../maintenance/index.js';
import { configuredByInput, type MonitorCreateInput } from '../monitors/index.js';
import type { StatusPageCreateInput } from '../status-pages/index.js';
import type { Fields } from './fields.js';
import type { Operations } from './operations.js';
import type { Kind } from './kind.js';
import type { Section } from './sections.js';
import { teamKind } from './team-kind.js';

const groupName = ({ type }: Fields) => channelOf(type as ActionGroupType).id;

/** Left out, the groups of a monitor are left alone: it begins with the default groups of the workspace. */
const monitorOutside = z.strictObject({
  actionGroupIds: z
    .array(uuid)
    .max(1_000)
    .transform((ids) => [...new Set(ids)])
    .optional()
    .describe('The action groups that are notified.'),
});

export const KINDS: Readonly<Record<Section, Kind>> = {
  serviceGroups: {
    createWith: () => 'createServiceGroup',
    updateWith: () => 'renameServiceGroup',
    deleteWith: 'deleteServiceGroup',
    listWith: 'listServiceGroups',
    outsideBody: [],
    configuredBy({ body }) {
      const { name, hostname = null } = body as { name: string; hostname?: string | null };
      return { fields: { name, hostname }, secrets: {} };
    },
    withUrl: [],
  },
  actionGroups: {
    createWith: (fields) =>
      ACTION_GROUP_TYPES.includes(fields['type'] as ActionGroupType)
        ? `create${groupName(fields)}ActionGroup`
        : undefined,
    updateWith: (fields) => `update${groupName(fields)}ActionGroup`,
    deleteWith: 'deleteActionGroup',
    listWith: 'listActionGroups',
    outsideBody: ['type'],
    configuredBy: ({ body, given }) => configuredByGroupInput(given['type'] as ActionGroupType, body as GroupInput),
    withUrl: ['headers'],
  },
  monitors: {
    createWith: () => 'createMonitor',
    updateWith: () => 'updateMonitor',
    deleteWith: 'deleteMonitor',
    listWith: 'listMonitors',
    outsideBody: ['actionGroups'],
    outside: { schema: monitorOutside },
    configuredBy({ body, outside, workspaceZone }) {
      const { fields, secrets } = configuredByInput(body as MonitorCreateInput, workspaceZone);
      return { fields: { ...fields, ...(outside as object) }, secrets };
    },
    withUrl: ['http'],
  },
  statusPages: {
    createWith: () => 'createStatusPage',
    updateWith: () => 'updateStatusPage',
    deleteWith: 'deleteStatusPage',
    listWith: 'listStatusPages',
    outsideBody: [],
    configuredBy({ body }) {
      const page = body as StatusPageCreateInput;
      const groups = page.groups.map(({ name, systems }) => ({
        name,
        systems: systems.map((system) => ({
          name: system.name,
          monitorId: system.monitorId ?? null,
          serviceGroupId: system.serviceGroupId ?? null,
          overrideStatus: system.overrideStatus ?? null,
          overrideMessage: system.overrideMessage ?? null,
        })),
      }));
      return { fields: { ...page, groups }, secrets: {} };
    },
    withUrl: [],
  },
  maintenanceWindows: {
    createWith: () => 'createMaintenanceWindow',
    updateWith: () => 'updateMaintenanceWindow',
    deleteWith: 'deleteMaintenanceWindow',
    listWith: 'listMaintenanceWindows',
    outsideBody: [],
    faultsOf: ({ startsAt }) =>
      startsAt === 'now'
        ? [{ path: 'startsAt', message: 'must be a date and time: `now` would be another one each time it is applied' }]
        : [],
    configuredBy: ({ body, workspaceZone }) => configuredByWindowInput(body as WindowCreateInput, workspaceZone),
    withUrl: [],
  },
  teams: teamKind,
};

/** The fields of an object that the body of REST has; others are set by operations of their own. */
export function fieldsInBody(kind: Kind, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !kind.outsideBody.includes(name)));
}

/** The other fields, which have a schema of their own where the kind has any. */
export function fieldsOutsideBody(kind: Kind, fields: Fields): Fields {
  if (!kind.outside) return {};
  return Object.fromEntries(Object.entries(fields).filter(([name]) => kind.outsideBody.includes(name)));
}

/** The schema of the body that creates an object of a section. */
export function bodySchema(operations: Operations, operationId: string): ZodType {
  return operations.get(operationId)!.body!;
}

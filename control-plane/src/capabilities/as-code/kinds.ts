import { z, type ZodObject, type ZodType } from 'zod';
import { uuid } from '../../platform/http/schemas.js';
import { ACTION_GROUP_TYPES, type ActionGroupType, configuredByGroupInput, type GroupInput } from '../alerts/index.js';
import { configuredByWindowInput, type WindowCreateInput } from '../maintenance/index.js';
import { type Configured, configuredByInput, type MonitorCreateInput } from '../monitors/index.js';
import type { StatusPageCreateInput } from '../status-pages/index.js';
import type { Fields } from './fields.js';
import type { Operations } from './operations.js';
import type { People } from './people.js';
import type { Section } from './sections.js';
import { teamKind } from './team-kind.js';

/** A valid object of a document. */
export interface KindInput {
  body: unknown;
  outside: unknown;
  /** The fields of the object, of which one may decide its type. */
  given: Fields;
  /** The time zone of schedules that name none. */
  workspaceZone: string;
  people: People;
}

/** How the objects of a section are created, changed and deleted over REST. */
export interface Kind {
  /** Which of several operations, by the fields of the object. Undefined: the field that decides it has no such value. */
  createWith(fields: Fields): string | undefined;
  updateWith(fields: Fields): string;
  deleteWith: string;
  listWith: string;
  /** Fields of the document that the body of REST does not have. */
  outsideBody: readonly string[];
  /** What a document may not have although REST accepts it. */
  faultsOf?(fields: Fields): { path: string; message: string }[];
  /** The fields of `outsideBody`, references as in REST, and what else is wrong with them. */
  outside?: { schema: ZodObject; faultsOf?(value: unknown, people: People): { path: string; message: string }[] };
  /** What an object would be configured to after it was created. */
  configuredBy(input: KindInput): Configured;
  /** A field of which only those parts are compared that the document has. */
  comparedInPart?: string;
  /** Fields that a change has to send again when its destination changes: REST keeps no secret for another host. */
  withUrl: readonly string[];
}

const GROUP_NAMES: Readonly<Record<ActionGroupType, string>> = {
  email: 'Email',
  sms: 'Sms',
  webhook: 'Webhook',
  slack: 'Slack',
  teams: 'Teams',
};
const groupName = ({ type }: Fields) => GROUP_NAMES[type as ActionGroupType];

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

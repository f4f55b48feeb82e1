import type { ZodType } from 'zod';
import { ACTION_GROUP_TYPES, type ActionGroupType, configuredByGroupInput, type GroupInput } from '../alerts/index.js';
import { configuredByWindowInput, type WindowCreateInput } from '../maintenance/index.js';
import { type Configured, configuredByInput, type MonitorCreateInput } from '../monitors/index.js';
import type { StatusPageCreateInput } from '../status-pages/index.js';
import type { Fields } from './fields.js';
import type { Operations } from './operations.js';
import type { Section } from './sections.js';

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
  /**
   * What an object would be configured to after it was created with a valid body.
   * @param workspaceZone the time zone of schedules that name none
   */
  configuredBy(body: unknown, fields: Fields, workspaceZone: string): Configured;
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

export const KINDS: Readonly<Record<Section, Kind>> = {
  serviceGroups: {
    createWith: () => 'createServiceGroup',
    updateWith: () => 'renameServiceGroup',
    deleteWith: 'deleteServiceGroup',
    listWith: 'listServiceGroups',
    outsideBody: [],
    configuredBy(body) {
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
    configuredBy: (body, { type }) => configuredByGroupInput(type as ActionGroupType, body as GroupInput),
    withUrl: ['headers'],
  },
  monitors: {
    createWith: () => 'createMonitor',
    updateWith: () => 'updateMonitor',
    deleteWith: 'deleteMonitor',
    listWith: 'listMonitors',
    outsideBody: ['actionGroups'],
    configuredBy: (body, _fields, workspaceZone) => configuredByInput(body as MonitorCreateInput, workspaceZone),
    withUrl: ['http'],
  },
  statusPages: {
    createWith: () => 'createStatusPage',
    updateWith: () => 'updateStatusPage',
    deleteWith: 'deleteStatusPage',
    listWith: 'listStatusPages',
    outsideBody: [],
    configuredBy(body) {
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
    configuredBy: (body, _fields, workspaceZone) => configuredByWindowInput(body as WindowCreateInput, workspaceZone),
    withUrl: [],
  },
};

/** The fields of an object that the body of REST has; others are set by operations of their own. */
export function fieldsInBody(kind: Kind, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !kind.outsideBody.includes(name)));
}

/** The schema of the body that creates an object of a section. */
export function bodySchema(operations: Operations, operationId: string): ZodType {
  return operations.get(operationId)!.body!;
}

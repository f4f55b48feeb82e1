import { invalidField } from '@watchpost/shared/fault';
import type { Configured, DocumentSection } from '../../../platform/documents/document-section.js';
import type { Fields } from '../../../platform/documents/fields.js';
import { z } from 'zod';
import { type ActionGroupType, type AlertRules, channelOf, CHANNELS } from '../../channels/index.js';
import {
  type GroupContent,
  type GroupInput,
  openGroupSecrets,
  secretsByField,
  wholeRules,
} from '../../group-settings/index.js';
import { type AlertDeps, READ_ALERTS, WRITE_ALERTS } from '../../delivery/index.js';
import { actionGroupInputSchemas } from './action-group-input-schemas.js';
import { actionGroupStore } from './action-group-store.js';
import { createActionGroup, decideNewGroup } from './create-action-group.js';
import { deleteActionGroup } from './delete-action-group.js';
import { updateActionGroup } from './update-action-group.js';

type NewGroup = GroupInput & { readonly type: ActionGroupType; readonly name: string };

export const ALERT_ACCESS = {
  read: { scopes: READ_ALERTS, role: 'Viewer' },
  write: { scopes: WRITE_ALERTS, role: 'Editor' },
} as const;

export function actionGroupSection(deps: AlertDeps, rules: AlertRules): DocumentSection<NewGroup, GroupInput> {
  return {
    access: ALERT_ACCESS,
    schemas: CHANNELS.map(({ type }) => {
      const { create, update } = actionGroupInputSchemas(rules, type);
      const typed = { type: z.literal(type) };
      return { type, create: create.safeExtend(typed), update: update.safeExtend(typed).partial() };
    }),
    configuredBy({ type, ...input }) {
      const { name, isEnabled, attachTo, rules: own, settings, secrets } = decideNewGroup(type, input);
      return configured({ type, name, isEnabled, attachTo, ...wholeRules(own) }, { settings, secrets });
    },
    withUrl: ['headers'],
    least: (fields) => ({
      type: fields['type'],
      name: fields['name'],
      ...Object.fromEntries(neededFields(fields['type'] as ActionGroupType).map((field) => [field, fields[field]])),
    }),
    read: async (tx, workspaceId) =>
      (await actionGroupStore.all(workspaceId, tx)).map(({ id, type, name, isEnabled, ...row }) => ({
        id,
        ...configured(
          { type, name, isEnabled, attachTo: { tags: row.attachTags, all: row.attachAll }, ...wholeRules(row.rules) },
          { settings: row.settings, secrets: openGroupSecrets(deps.secretBox, id, row.secrets) },
        ),
      })),
    create: (run, changes) =>
      run.each(changes, ({ id, input: { type, ...input } }) =>
        createActionGroup({ ...deps, db: run.db }, run.actor, type, input, { id }),
      ),
    update: (run, changes) =>
      run.each(changes, async ({ id, input }) => {
        if (input['type'] !== undefined)
          throw invalidField('type', 'cannot be changed: give the new group another key');
        await updateActionGroup({ ...deps, db: run.db }, run.actor, { id }, input);
      }),
    remove: (run, deletions) =>
      run.each(deletions, ({ id }) => deleteActionGroup({ ...deps, db: run.db }, run.actor, { id })),
  };
}

/** The fields without which no group of a channel is created. */
function neededFields(type: ActionGroupType): string[] {
  return channelOf(type).fields.flatMap(({ name, isRequired }) => (isRequired === false ? [] : [name]));
}

function configured(about: Fields, content: GroupContent): Configured {
  return { fields: { ...about, ...content.settings }, secrets: secretsByField(content) };
}

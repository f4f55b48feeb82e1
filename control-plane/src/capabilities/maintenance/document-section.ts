import type { Configured, DocumentSection, SectionRun } from '../../platform/documents/document-section.js';
import type { Fields } from '../../platform/documents/fields.js';
import { createWindow, newWindowRow } from './create-window.js';
import { describeConfiguration } from './describe-window.js';
import { deleteWindow } from './end-window.js';
import type { MaintenanceDeps } from './maintenance-deps.js';
import { ACCESS } from './maintenance-routes.js';
import {
  type WindowCreateInput,
  windowCreateSchema,
  type WindowUpdateInput,
  windowUpdateSchema,
} from './maintenance-schemas.js';
import { updateWindow } from './update-window.js';
import { type WindowRow, windowStore } from './window-store.js';

/**
 * Maintenance windows in documents. A document is applied again and again, so those that began before it is applied leave the
 * past as it was.
 */
export function windowSection(pool: MaintenanceDeps): DocumentSection<WindowCreateInput, WindowUpdateInput> {
  const depsIn = ({ db }: SectionRun) => ({ ...pool, db, leavesPastAlone: true });
  return {
    access: ACCESS,
    schemas: [{ create: windowCreateSchema, update: windowUpdateSchema }],
    faultsOf: ({ startsAt }) =>
      startsAt === 'now'
        ? [{ path: 'startsAt', message: 'must be a date and time: `now` would be another one each time it is applied' }]
        : [],
    configuredBy: (input, { workspaceZone }) => configured(newWindowRow(input, input.timezone ?? workspaceZone, 0)),
    // Another workspace may have another time zone.
    least: ({ name, startsAt, timezone, duration, scope }) => ({
      name,
      startsAt,
      timezone,
      duration,
      scope: withoutEmpty(scope as Fields),
    }),
    isVoid: ({ scope }) => Object.keys(withoutEmpty(scope as Fields)).length === 0,
    read: async (tx, workspaceId) =>
      (await windowStore.all(workspaceId, tx)).map((row) => ({ id: row.id, ...configured(row) })),
    create: (run, changes) => run.each(changes, ({ id, input }) => createWindow(depsIn(run), run.actor, input, id)),
    update: (run, changes) => run.each(changes, ({ id, input }) => updateWindow(depsIn(run), run.actor, id, input)),
    remove: (run, deletions) => run.each(deletions, ({ id }) => deleteWindow(depsIn(run), run.actor, id)),
  };
}

function configured(row: WindowRow): Configured {
  const { id: _, created: _c, lastModified: _m, ...fields } = describeConfiguration(row);
  return { fields, secrets: {} };
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== false && !(Array.isArray(value) && value.length === 0)),
  );
}

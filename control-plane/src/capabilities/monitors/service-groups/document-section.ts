import type { DocumentSection, SectionRun } from '../../../platform/documents/document-section.js';
import type { MonitorDeps } from '../monitor-deps.js';
import { createServiceGroup } from './create-service-group.js';
import { deleteServiceGroup } from './delete-service-group.js';
import { renameServiceGroup } from './rename-service-group.js';
import { ACCESS } from './service-group-routes.js';
import {
  type ServiceGroupCreateInput,
  serviceGroupCreateSchema,
  type ServiceGroupUpdateInput,
  serviceGroupUpdateSchema,
} from './service-group-schemas.js';
import { serviceGroupStore } from './service-group-store.js';

export function serviceGroupSection(
  pool: MonitorDeps,
): DocumentSection<ServiceGroupCreateInput, ServiceGroupUpdateInput> {
  const depsIn = ({ db }: SectionRun) => ({ ...pool, db });
  return {
    access: ACCESS,
    schemas: [{ create: serviceGroupCreateSchema, update: serviceGroupUpdateSchema }],
    configuredBy: ({ name, hostname }) => ({ fields: { name, hostname }, secrets: {} }),
    least: ({ name }) => ({ name }),
    read: async (tx, workspaceId) =>
      (await serviceGroupStore.all(workspaceId, tx)).map(({ id, name, hostname }) => ({
        id,
        fields: { name, hostname },
        secrets: {},
      })),
    create: (run, changes) =>
      run.each(changes, ({ id, input }) => createServiceGroup(depsIn(run), run.actor, input, id)),
    update: (run, changes) =>
      run.each(changes, ({ id, input }) => renameServiceGroup(depsIn(run), run.actor, id, input)),
    remove: (run, deletions) => run.each(deletions, ({ id }) => deleteServiceGroup(depsIn(run), run.actor, id)),
  };
}

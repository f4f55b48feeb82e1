import type { Configured, DocumentSection, SectionRun } from '../../platform/documents/document-section.js';
import type { LocationDeps } from './location-deps.js';
import { LOCATION_ACCESS } from './location-routes.js';
import {
  type LocationCreateInput,
  locationCreateSchema,
  locationSettings,
  type LocationUpdateInput,
  locationUpdateSchema,
} from './location-schemas.js';
import { type LocationRow, locationStore } from './location-store.js';
import { createLocation, deleteLocation, newLocation, updateLocation } from './locations.js';

/** Private locations in documents; their agents are none of it, because each has a secret of its own. */
export function locationSection(pool: LocationDeps): DocumentSection<LocationCreateInput, LocationUpdateInput> {
  const depsIn = ({ db }: SectionRun) => ({ ...pool, db });
  return {
    access: LOCATION_ACCESS,
    schemas: [{ create: locationCreateSchema, update: locationUpdateSchema }],
    configuredBy: (input) => configured(newLocation(input, 0)),
    least: ({ name, slug }) => ({ name, slug }),
    read: async (tx, workspaceId) =>
      (await locationStore.all(workspaceId, tx)).map((row) => ({ id: row.id, ...configured(row) })),
    create: (run, changes) => run.each(changes, ({ id, input }) => createLocation(depsIn(run), run.actor, input, id)),
    update: (run, changes) => run.each(changes, ({ id, input }) => updateLocation(depsIn(run), run.actor, id, input)),
    remove: (run, deletions) => run.each(deletions, ({ id }) => deleteLocation(depsIn(run), run.actor, id)),
  };
}

function configured(row: LocationRow): Configured {
  return { fields: locationSettings.describe(row), secrets: {} };
}

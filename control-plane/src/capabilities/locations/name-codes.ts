import type { Transactions } from '../../platform/db/database.js';
import { isLocation, LOCATION_PREFIX, regionCode } from '@watchpost/shared/region';
import { type LocationNames, namesByCode } from './place-store.js';

/** What outsiders read. */
const UNNAMED = `${LOCATION_PREFIX}location`;
/** The fields of answers that name places, one or several; every other text is as somebody wrote it. */
const PLACE_FIELDS: ReadonlySet<string> = new Set(['region', 'regions', 'place', 'failing', 'fine', 'unknown']);
/** One that names them by its keys, each with what people call it. */
const PLACES_FIELD = 'places';

/**
 * Names private locations in an answer as JSON: by the slug of today, with their name as `regionName` beside a `region`, those of deleted
 * ones too. Outside of the workspace they have no name.
 */
export function locationNamer({ db }: { db: Transactions }) {
  return async (workspaceId: string | null, json: string): Promise<string> => {
    if (!json.includes(`"${LOCATION_PREFIX}#`)) return json;
    const names = workspaceId === null ? new Map() : await db.read((tx) => namesByCode(tx, workspaceId));
    return JSON.stringify(named(JSON.parse(json), '', names));
  };
}

function named(value: unknown, field: string, names: LocationNames): unknown {
  if (typeof value === 'string') return PLACE_FIELDS.has(field) ? slugOf(value, names) : value;
  if (Array.isArray(value)) return value.map((one) => named(one, field, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]): [string, unknown][] => {
      if (field === PLACES_FIELD && isLocation(key)) return [[slugOf(key, names), locationOf(key, names)?.name ?? one]];
      const entry: [string, unknown] = [key, named(one, key, names)];
      const name = key === 'region' && typeof one === 'string' ? locationOf(one, names)?.name : undefined;
      return name === undefined ? [entry] : [entry, ['regionName', name]];
    }),
  );
}

function locationOf(text: string, names: LocationNames) {
  return isLocation(text) ? names.get(regionCode(text)) : undefined;
}

function slugOf(text: string, names: LocationNames): string {
  if (!isLocation(text)) return text;
  const slug = locationOf(text, names)?.slug;
  return slug === undefined ? UNNAMED : LOCATION_PREFIX + slug;
}

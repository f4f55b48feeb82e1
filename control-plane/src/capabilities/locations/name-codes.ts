import type { Transactions } from '../../platform/db/database.js';
import { LOCATION_PREFIX } from '@watchpost/shared/region';
import { slugsByCode } from './place-store.js';

/** Private locations as results and incidents store them. */
const STORED = new RegExp(`${LOCATION_PREFIX}#(\\d+)`, 'g');
/** What outsiders read. */
const UNNAMED = `${LOCATION_PREFIX}location`;

/**
 * Replaces the codes of private locations in a text by their slugs of today, those of deleted ones too. Outside of the
 * workspace they have no name.
 */
export function locationNamer({ db }: { db: Transactions }) {
  return async (workspaceId: string | null, text: string): Promise<string> => {
    if (!text.includes(`${LOCATION_PREFIX}#`)) return text;
    const slugs = workspaceId === null ? null : await db.read((tx) => slugsByCode(tx, workspaceId));
    return text.replace(STORED, (_, code) => {
      const slug = slugs?.get(Number(code));
      return slug === undefined ? UNNAMED : LOCATION_PREFIX + slug;
    });
  };
}

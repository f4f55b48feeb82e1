import type { Database } from '../../platform/db/database.js';
import { eventIdOf } from './event-position.js';
import { readEvents } from './read-events.js';

/** The id from which a stream brings all that is not in what is read after this call. */
export async function readEventId(db: Database): Promise<string> {
  const { position } = await readEvents(db, []);
  return eventIdOf(position);
}

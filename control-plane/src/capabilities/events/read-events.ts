import type { Database } from '../../platform/db/database.js';
import { eventStore, type Reading, type ReadingPoint } from './event-store.js';
import { eventIdOf } from './event-position.js';

/**
 * Reads what committed after each point, in the present history of the database.
 * @throws Error where the database moved to another history meanwhile: it is not known which one was read
 */
export async function readEvents(db: Database, points: readonly ReadingPoint[]): Promise<Reading> {
  const { history } = db.hosts;
  const reading = await db.read((tx) => eventStore.read(tx, points, history));
  if (db.hosts.history !== history) throw new Error('the database has moved meanwhile');
  return reading;
}

/** The id from which a stream brings all that is not in what is read after this call. */
export async function readEventId(db: Database): Promise<string> {
  const { position } = await readEvents(db, []);
  return eventIdOf(position);
}

import { Fault } from '@watchpost/shared/fault';
import { databaseErrorOf, UNIQUE_VIOLATION } from './database-error.js';

/**
 * Writes what has a slug: the unique index decides between concurrent requests for the same one.
 * @param message what is wrong with the slug then, as the end of a sentence
 * @throws Fault `slug_taken`
 */
export async function unlessSlugTaken(index: string, message: string, writing: Promise<unknown>): Promise<void> {
  try {
    await writing;
  } catch (error) {
    const { code, constraint } = databaseErrorOf(error) ?? {};
    if (code !== UNIQUE_VIOLATION || constraint !== index) throw error;
    throw new Fault('slug_taken', 'Choose another slug: this one is taken.', [{ path: 'slug', message }]);
  }
}

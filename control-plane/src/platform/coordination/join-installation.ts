import type { Database } from '../db/database.js';
import type { SealedColumn } from '../db/sealed-column.js';
import { type SecretBox, SecretBoxError } from '../db/secret-box.js';
import { markKey, readInstallation } from './installation-store.js';

const MARK = 'the key of this installation';
export const SEALED_MARK: SealedColumn = {
  table: 'installation',
  column: 'key_mark',
  reads: ['id'],
  context: ({ id }) => id!,
};

/**
 * Makes sure that the processes on one database have one encryption key: what one seals the others open.
 * @returns the installation's id
 * @throws Error with what to do where this process has another key
 */
export async function joinInstallation(db: Database, secretBox: SecretBox): Promise<string> {
  const { id } = await db.read(readInstallation);
  const mark = await db.transaction((tx) => markKey(tx, secretBox.seal(MARK, id)));
  try {
    secretBox.open(mark, id);
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    throw new Error(
      'The other processes on this database have another encryption key: set the same ENCRYPTION_KEY for all of them. ' +
        'After a change of keys the former one has to stay behind the new one, separated by a comma.',
      { cause: error },
    );
  }
  return id;
}

import type { Database } from '../../../platform/db/database.js';
import type { SealedColumn } from '../../../platform/db/sealed-column.js';
import { type SecretBox, SecretBoxError } from '../../../platform/db/secret-box.js';
import { resealStore } from './reseal-store.js';

const BATCH = 200;
/** The place before every row. */
const START = '(0,0)';

export interface ResealSummary {
  resealed: number;
  /** Values that none of the keys opens, or that belong to another row. */
  unreadable: number;
}

/**
 * Seals everything anew that another key than the first has sealed, beside a running service: each value is replaced
 * only where nobody has changed it meanwhile. Whatever ends it, the next run goes on with what is left.
 * @param report one line for each column and each thousand values
 */
export async function resealAll(
  { db, secretBox }: { db: Database; secretBox: SecretBox },
  columns: readonly SealedColumn[],
  report: (line: string) => void = () => {},
): Promise<ResealSummary> {
  const total: ResealSummary = { resealed: 0, unreadable: 0 };
  for (const column of columns) {
    const { resealed, unreadable } = await resealColumn(db, secretBox, column, report);
    total.resealed += resealed;
    total.unreadable += unreadable;
  }
  return total;
}

async function resealColumn(
  db: Database,
  secretBox: SecretBox,
  column: SealedColumn,
  report: (line: string) => void,
): Promise<ResealSummary> {
  const name = `${column.table}.${column.column}`;
  const { sealPrefix } = secretBox;
  const waiting = await db.read((tx) => resealStore.countOthers(tx, column, sealPrefix));
  if (waiting === 0) return { resealed: 0, unreadable: 0 };
  let resealed = 0;
  let unreadable = 0;
  for (;;) {
    const before = resealed;
    unreadable = 0;
    for (let after = START; ;) {
      const values = await db.read((tx) => resealStore.others(tx, column, sealPrefix, after, BATCH));
      if (values.length === 0) break;
      after = values.at(-1)!.place;
      for (const value of values) {
        const opened = tryOpen(secretBox, value.sealed, column.context(value.row));
        if (opened === undefined) {
          unreadable++;
          continue;
        }
        const anew = secretBox.seal(opened, column.context(value.row));
        if (!(await db.transaction((tx) => resealStore.replace(tx, column, value, anew)))) continue;
        if (++resealed % 1_000 === 0) report(`${name}: ${resealed} of ${waiting} sealed anew`);
      }
    }
    // Rows that were changed meanwhile moved: they are looked at once more, until a pass finds nothing to do.
    if (resealed === before) break;
  }
  report(`${name}: ${resealed} sealed anew${unreadable === 0 ? '' : `, ${unreadable} cannot be opened`}`);
  return { resealed, unreadable };
}

function tryOpen(secretBox: SecretBox, sealed: Buffer, context: string): Buffer | undefined {
  try {
    return secretBox.open(sealed, context);
  } catch (error) {
    if (error instanceof SecretBoxError) return undefined;
    throw error;
  }
}

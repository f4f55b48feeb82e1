import { DAY_MS } from '@watchpost/shared/time';
import { quoted, ImportReport } from '../import-report.js';
import { finishDocument, type Imported } from '../finish-document.js';
import { Secrets } from '../names.js';
import { idOf, isRow, parseFile, type Row, textOf, UnreadableFile } from '../rows.js';
import { convertOnCall } from './convert-on-call.js';
import type { OnCallProduct, SourceShift } from './source.js';

const MOST_ITEMS = 100_000;
/** The range of the shifts that are compared. */
export const COMPARED_MS = 30 * DAY_MS;

export interface OnCallImport extends Imported {
  /** null where the shifts were not compared. */
  comparison: Comparison | null;
}

interface Comparison {
  differences: string[];
  /** Moments (RFC 3339) between which they were compared. */
  from: string;
  to: string;
}

/** Reads the lists of a product in a file. @throws UnreadableFile */
export function readLists(bytes: Uint8Array, { name, lists }: OnCallProduct): Record<string, readonly Row[]> {
  const value = parseFile(bytes, `This file is no JSON: it has to be an object with the lists of ${name}.`);
  if (!isRow(value) || !lists.some((list) => Object.hasOwn(value, list)))
    throw new UnreadableFile(`This JSON has none of the lists of ${name}: ${lists.join(', ')}.`);
  return Object.fromEntries(
    Object.entries(value).map(([list, items]) => {
      if (!lists.includes(list)) return [list, []];
      if (!Array.isArray(items) || !items.every(isRow))
        throw new UnreadableFile(`${quoted(list)} is no list of objects.`);
      return [list, items];
    }),
  );
}

/**
 * Makes a configuration document of the on-call settings of another product.
 * @param verified where the shifts of the product are from with which those of the document are compared: all of the coming
 *   ones, or a file of any day; null: they are not compared
 * @throws UnreadableFile
 */
export async function importOnCall(
  product: OnCallProduct,
  lists: Readonly<Record<string, readonly Row[]>>,
  { nowMs, withSecrets, verified }: { nowMs: number; withSecrets: boolean; verified: 'api' | 'file' | null },
): Promise<OnCallImport> {
  const project = product.name.toLowerCase().replaceAll(' ', '-');
  const report = new ImportReport();
  const secrets = new Secrets(project.toUpperCase().replaceAll('-', '_'), withSecrets);
  const reading = { report, secrets, nowMs };
  for (const list of Object.keys(lists))
    if (!product.lists.includes(list))
      report.add(`${quoted(list)}: not taken over: the list is not known to this version`);
  const sound = new Map(
    product.lists.map((list) => {
      const items = lists[list] ?? [];
      if (items.length > MOST_ITEMS)
        throw new UnreadableFile(`${quoted(list)} has ${items.length} objects; at most ${MOST_ITEMS} can be imported.`);
      return [list, product.identified.includes(list) ? identified(list, items, report) : items];
    }),
  );
  const listOf = (name: string) => sound.get(name)!;
  const source = product.toSource(listOf, reading);
  const { sections, taken } = convertOnCall(source, reading);
  const imported = finishDocument(project, sections, reading);
  if (verified === null) return { ...imported, comparison: null };
  const shifts = product.shiftsOf(listOf, source);
  const range = { fromMs: nowMs, toMs: nowMs + COMPARED_MS };
  if (verified === 'file') narrow(range, shifts, product);
  // Zones of shifts, which most imports do not need.
  const { compareShifts } = await import('./compare-shifts.js');
  const [from, to] = [range.fromMs, range.toMs].map((ms) => new Date(ms).toISOString()) as [string, string];
  return { ...imported, comparison: { differences: compareShifts(taken, shifts, source, range), from, to } };
}

/** Leaves out what the shifts of a file do not reach, in which nobody is on call only because it is older. @throws UnreadableFile */
function narrow(
  range: { fromMs: number; toMs: number },
  shifts: readonly SourceShift[],
  { name }: OnCallProduct,
): void {
  const [firstMs, lastMs] = shifts.reduce(
    ([first, last], { startMs, endMs }) => [Math.min(first, startMs), Math.max(last, endMs)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  range.fromMs = Math.max(range.fromMs, firstMs);
  range.toMs = Math.min(range.toMs, lastMs);
  if (range.fromMs >= range.toMs)
    throw new UnreadableFile(
      `This file has no shifts of the final schedule of ${name} in the next 30 days, which --verify compares: export it anew, or give the key of its API.`,
    );
}

/** The objects that can be referred to: with an id, the first of each. */
function identified(list: string, items: readonly Row[], report: ImportReport): Row[] {
  const taken = new Set(['']);
  return items.filter((item) => {
    const id = idOf(item);
    if (!taken.has(id)) return taken.add(id);
    const reason = id === '' ? 'it has no id' : `its id ${quoted(id)} is that of one before it`;
    report.untaken(list, textOf(item, 'name') ?? textOf(item, 'username') ?? id, reason);
    return false;
  });
}

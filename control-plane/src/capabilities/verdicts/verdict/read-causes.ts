import type { Tx } from '../../../platform/db/database.js';
import { groupBy } from '@watchpost/shared/group-by';
import { readIncidentEnds } from '../../incidents/index.js';
import { type Causes, NO_CAUSES } from '../outage/decide-attachment.js';
import { causeStore } from './cause-store.js';
import type { VerdictSubject } from './verdict-store.js';

/** The causes of those of these monitors that may fail, by monitor. Most batches have none, and read nothing. */
export async function readCauses(
  tx: Tx,
  subjects: readonly VerdictSubject[],
  nowMs: number,
): Promise<ReadonlyMap<number, Causes>> {
  const failing = subjects.filter(mayNeedCauses);
  if (failing.length === 0) return new Map();
  const keys = failing.map(({ monitorKey }) => monitorKey);
  const causes = groupBy(await causeStore.causes(tx, keys, new Date(nowMs)), ({ monitorKey }) => monitorKey);
  const attachedTo = new Map(
    failing.flatMap(({ monitorKey, state }) => {
      const id = state.memory.attachment?.attachedTo;
      return id === undefined ? [] : [[monitorKey, id] as const];
    }),
  );
  const ends =
    attachedTo.size === 0 ? new Map<string, number>() : await readIncidentEnds(tx, [...new Set(attachedTo.values())]);
  return new Map(
    keys.map((monitorKey) => {
      const attachedEndedMs = ends.get(attachedTo.get(monitorKey) ?? '') ?? null;
      return [monitorKey, { ...NO_CAUSES, causes: causes.get(monitorKey) ?? [], attachedEndedMs }];
    }),
  );
}

function mayNeedCauses({ state, series, settings }: VerdictSubject): boolean {
  if (state.memory.attachment !== undefined) return true;
  return settings.monitorTypes.includes('Heartbeat') || series.some(({ failing }) => failing === true);
}

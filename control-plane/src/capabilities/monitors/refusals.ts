import { Fault } from '@watchpost/shared/fault';
import type { TaggedMonitor } from './get-monitor.js';
import { announceChange, type MonitorChange, type MonitorDeps } from './monitor-deps.js';
import type { Tx } from '../../platform/db/database.js';
import { inSlices } from '../../platform/jobs/in-slices.js';

export interface ChangedMonitors {
  /** Of each, in their order: as it is now, or why it was left alone. */
  results: (TaggedMonitor | Fault)[];
  /** To be announced after the commit. */
  changes: MonitorChange[];
}

/** Several changes, of which some are refused: each by its first Fault. */
export class Refusals<Change> {
  private readonly faults = new Map<Change, Fault>();

  constructor(private readonly asked: readonly Change[]) {}

  /** Those that are not refused. */
  get left(): Change[] {
    return this.asked.filter((change) => !this.faults.has(change));
  }

  /** Refuses each of those that are left for which `require` throws a Fault. Others are served meanwhile. */
  async check(require: (change: Change, index: number) => void | Promise<void>): Promise<void> {
    const pause = inSlices();
    for (const [index, change] of this.asked.entries()) {
      if (this.faults.has(change)) continue;
      await pause();
      try {
        await require(change, index);
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        this.faults.set(change, error);
      }
    }
  }

  /** Refuses each of those that are left that has a Fault. */
  refuse(faultOf: (change: Change) => Fault | undefined): void {
    for (const change of this.left) {
      const fault = faultOf(change);
      if (fault) this.faults.set(change, fault);
    }
  }

  /** @param done what became of one that is left */
  results(done: (change: Change) => TaggedMonitor): (TaggedMonitor | Fault)[] {
    return this.asked.map((change) => this.faults.get(change) ?? done(change));
  }
}

/** Changes one monitor in a transaction of its own, and announces it. @throws Fault where it is refused */
export async function changeOne(
  deps: Pick<MonitorDeps, 'db' | 'bus'>,
  change: (tx: Tx) => Promise<ChangedMonitors>,
): Promise<TaggedMonitor> {
  const { view, changes } = await deps.db.transaction(async (tx) => {
    const {
      results: [view],
      changes,
    } = await change(tx);
    if (view instanceof Fault) throw view;
    return { view: view!, changes };
  });
  for (const one of changes) announceChange(deps, one);
  return view;
}

import { MINUTE_MS } from '@watchpost/shared/time';
import { regionCode, type Region } from '@watchpost/shared/region';

/** One scheduled run of a series: the minute of its scheduled time. */
export interface SeriesRun {
  monitorKey: number;
  region: Region;
  minute: number;
}

/** How far a run came: never begun by an agent of this process, done, or acknowledged. */
export type RunState = 'never' | 'done' | 'acknowledged';

const STATES: readonly RunState[] = ['never', 'done', 'acknowledged'];
const MOST_REGIONS = 8;

/** What became of each run at the agents of one process: a byte for each series and minute. */
export class RunLog {
  private readonly minutes = new Map<number, Uint8Array>();

  /** @param monitors the highest key of a monitor */
  constructor(private readonly monitors: number) {}

  done(monitorKey: number, region: Region, scheduledAtMs: number): void {
    this.note(monitorKey, region, scheduledAtMs, 'done');
  }

  acknowledged(monitorKey: number, region: Region, scheduledAtMs: number): void {
    this.note(monitorKey, region, scheduledAtMs, 'acknowledged');
  }

  stateOf({ monitorKey, region, minute }: SeriesRun): RunState {
    return STATES[this.minutes.get(minute)?.[this.placeOf(monitorKey, region)] ?? 0]!;
  }

  private note(monitorKey: number, region: Region, scheduledAtMs: number, state: RunState): void {
    const minute = Math.floor(scheduledAtMs / MINUTE_MS);
    let states = this.minutes.get(minute);
    if (!states) this.minutes.set(minute, (states = new Uint8Array((this.monitors + 1) * MOST_REGIONS)));
    const place = this.placeOf(monitorKey, region);
    states[place] = Math.max(states[place]!, STATES.indexOf(state));
  }

  private placeOf(monitorKey: number, region: Region): number {
    return monitorKey * MOST_REGIONS + regionCode(region) - 1;
  }
}

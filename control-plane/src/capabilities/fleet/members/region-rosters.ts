import type { Place } from '@watchpost/shared/region';
import { RegionRoster, type RosterOptions } from './region-roster.js';

/** The rosters of all regions that agents of this process belong to. */
export class RegionRosters {
  private readonly rosters = new Map<Place, RegionRoster>();
  private readonly unsubscribe: (() => void)[];

  constructor(private readonly options: Omit<RosterOptions, 'region'>) {
    const { bus } = options;
    this.unsubscribe = [
      bus.subscribe('region-changed', ({ region }) => this.rosters.get(region)?.reconsider()),
      bus.onHearing(() => this.reconsider()),
    ];
  }

  of(region: Place): RegionRoster {
    let roster = this.rosters.get(region);
    if (!roster) {
      roster = new RegionRoster({ ...this.options, region });
      this.rosters.set(region, roster);
    }
    return roster;
  }

  /** Reads all regions again. */
  reconsider(): void {
    for (const roster of this.rosters.values()) roster.reconsider();
  }

  stop(): void {
    for (const unsubscribe of this.unsubscribe) unsubscribe();
    for (const roster of this.rosters.values()) roster.stop();
  }
}

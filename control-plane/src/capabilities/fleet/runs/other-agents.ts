import { alwaysMs, type CheckKind, type CheckSpec } from '@watchpost/shared/check';
import { Fault } from '@watchpost/shared/fault';
import type { CheckResult } from '@watchpost/shared/outcome';
import { isLocation, type Place, type Region } from '@watchpost/shared/region';
import type { Database } from '../../../platform/db/database.js';
import type { Fleet } from '../fleet.js';
import type { MonitorCheckSource } from '../../monitors/index.js';
import { TRANSIT_MS } from './test-monitor-target.js';

export interface OtherAgentsDeps {
  db: Database;
  fleet: Pick<Fleet, 'runNow'>;
  checks: Pick<MonitorCheckSource, 'of'>;
}

interface Candidate {
  place: Place;
  region: Region;
  check: CheckSpec;
}

/** The agents that give second opinions. */
export class OtherAgents {
  constructor(private readonly deps: OtherAgentsDeps) {}

  /**
   * Repeats a failed check in another region of the monitor, or else by another agent of the same region; one of a private location stays there. After an
   * inconclusive result the next region is tried.
   * @param avoid regions that are not asked
   */
  async ask(
    failure: { monitorKey: number; kind: CheckKind; region: Region; agentId: string },
    avoid: ReadonlySet<Region>,
  ): Promise<{ region: Region; result: CheckResult } | { refusal: string }> {
    const { db, fleet, checks: source } = this.deps;
    const { places } = await db.read((tx) => source.of(tx, failure.monitorKey));
    const stays = isLocation(failure.region);
    const candidates = places.flatMap(({ place, region, checks }): Candidate[] => {
      const check = checks.find(({ key }) => key.kind === failure.kind);
      // Another network is no evidence of what a private location sees.
      const isAsked = stays ? region === failure.region : !isLocation(region) && !avoid.has(region);
      return check && isAsked ? [{ place, region, check }] : [];
    });
    candidates.sort((a, b) => Number(a.region === failure.region) - Number(b.region === failure.region));
    let refusal = 'No other region or agent checks the monitor.';
    for (const { place, region, check } of candidates) {
      try {
        const timeoutMs = check.timeoutMs + alwaysMs(check.target) + TRANSIT_MS;
        const except = failure.agentId;
        const result = await fleet.runNow({ region: place, check, timeoutMs, purpose: 'secondOpinion', except });
        if (result.outcome.kind !== 'inconclusive') return { region, result };
        refusal = result.outcome.message;
      } catch (error) {
        if (!(error instanceof Fault) || (error.code !== 'unavailable' && error.code !== 'rate_limited')) throw error;
        refusal = error.message;
      }
    }
    return { refusal };
  }
}

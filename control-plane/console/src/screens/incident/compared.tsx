import type { CheckResultView } from '@watchpost/control-plane/capabilities/figures/reading/check-result-schemas';
import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import { useResource } from '../../data/resources.js';
import { latencyText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';
import type { Phases } from '@watchpost/shared/design/phases';
import { PhaseBar } from '../../parts/phase-bar.js';

type Failure = IncidentEvidence['failures'][number];

/** Checks of a certificate and of DNS records go beside the one that fails, and have phases of their own. */
const OTHER_KINDS: readonly string[] = ['ssl', 'dns'];
const LOOKED_AT = 10;

/** The failing attempt as a waterfall, on one axis with the last good one of the same region within a day before. */
export function Compared({ failure, monitorId }: { failure: Failure; monitorId: string }) {
  const { region, scheduledAt, startedAt } = failure;
  const timings = failure.timings ?? {};
  const read = useResource<CheckResultView[]>(`/api/v1/monitor/${monitorId}/results`, {
    region,
    outcome: 'up',
    endDate: scheduledAt,
    pageSize: LOOKED_AT,
  });
  const good = read.data?.find(({ kind }) => !OTHER_KINDS.includes(kind));
  const [failedMs, goodMs] = [lengthOf(timings), good ? lengthOf(good.phases) : 0];
  const ofMs = Math.max(failedMs, goodMs);
  if (ofMs === 0) return null;
  return (
    <div class="lines one-column gap-3">
      {failedMs > 0 && (
        <div class="lines one-column gap-1">
          <span class="soft small">
            This attempt, <Time at={startedAt ?? scheduledAt} as="second" />: {latencyText(failedMs)}
          </span>
          <PhaseBar phases={timings} place={{ fromMs: 0, ms: failedMs, ofMs }} />
        </div>
      )}
      {good && goodMs > 0 && (
        <div class="lines one-column gap-1">
          <span class="soft small">
            The last good one, <Time at={good.scheduledAt} as="second" />: {latencyText(goodMs)}
          </span>
          <PhaseBar phases={good.phases} place={{ fromMs: 0, ms: goodMs, ofMs }} />
        </div>
      )}
    </div>
  );
}

function lengthOf(phases: Phases): number {
  return Object.values(phases).reduce<number>((sum, ms) => sum + (ms ?? 0), 0);
}

import type { DomainStatusView } from '@watchpost/control-plane/capabilities/domains/domain-schemas';
import { useResource } from '../../data/resources.js';
import { DomainFacts } from '../../parts/domain-facts.js';
import { NotLoaded } from '../../parts/loaded.js';
import { StateMark, Time } from '../../parts/marks.js';

const STATES = {
  ok: ['available', 'It is registered.'],
  expiring: ['partial', 'It expires soon.'],
  expired: ['unavailable', 'It has expired.'],
  held: ['unavailable', 'The registry holds it.'],
  notOffered: ['unknown', 'Its registry does not publish when it expires, so nothing is known.'],
  notFound: ['unavailable', 'Its registry does not know it.'],
  unreachable: ['unknown', 'Its registry did not answer, so nothing is known.'],
} as const;

export function DomainSection({ monitorId }: { monitorId: string }) {
  const status = useResource<DomainStatusView>(`/api/v1/monitor/${monitorId}/domain-status`);
  const { data } = status;
  if (data === undefined) return <NotLoaded of={status} />;
  if (data.state === null || data.checkedAt === null)
    return (
      <p class="card card-body soft">
        {data.checkedAt === null
          ? 'Its registry has not been asked yet.'
          : 'Its registry has not been asked for more than a day, so nothing is known.'}
      </p>
    );
  const [state, sentence] = STATES[data.state];
  return (
    <div class="card card-body stack">
      <p>
        <StateMark state={state} isQuiet /> <strong>{sentence}</strong>{' '}
        <Time at={data.checkedAt} class="soft" before="Asked " />
      </p>
      <DomainFacts of={data} look="tiles target-facts" />
    </div>
  );
}

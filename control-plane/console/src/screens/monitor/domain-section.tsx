import type { DomainStatusView } from '@watchpost/control-plane/capabilities/domains/domain-schemas';
import { useResource } from '../../data/resources.js';
import { NotLoaded } from '../../parts/loaded.js';
import { StateMark, Time } from '../../parts/marks.js';
import { Facts } from '../../parts/section.js';
import { firstOf } from '../../parts/format.js';

const STATES = {
  ok: ['available', 'It is registered.'],
  expiring: ['partial', 'It expires soon.'],
  expired: ['unavailable', 'It has expired.'],
  held: ['unavailable', 'The registry holds it.'],
  notOffered: ['unknown', 'Its registry does not publish when it expires, so nothing is known.'],
  notFound: ['unavailable', 'Its registry does not know it.'],
  unreachable: ['unknown', 'Its registry did not answer, so nothing is known.'],
} as const;

/** The registration of a domain, as its registry answered. */
export function DomainSection({ monitorId }: { monitorId: string }) {
  const status = useResource<DomainStatusView>(`/api/v1/monitor/${monitorId}/domain-status`);
  const { data } = status;
  if (data === undefined) return <NotLoaded of={status} />;
  if (data.state === null || data.checkedAt === null)
    return <p class="card card-body soft">Its registry has not been asked yet.</p>;
  const [state, sentence] = STATES[data.state];
  const { expiresAt, registrar, statuses, nameServers, checkedAt } = data;
  return (
    <div class="card card-body stack">
      <p>
        <StateMark state={state} isQuiet /> <strong>{sentence}</strong>{' '}
        <Time at={checkedAt} class="soft" before="Asked " />
      </p>
      <Facts
        look="tiles target-facts"
        facts={[
          ['Domain', data.domain],
          expiresAt !== null && ['Expires', <Time key="expires" at={expiresAt} as="moment" />],
          ['Registrar', registrar],
          ['Status', statuses.length > 0 && firstOf(statuses, 5)],
          ['Name servers', nameServers.length > 0 && firstOf(nameServers, 5)],
        ]}
      />
    </div>
  );
}

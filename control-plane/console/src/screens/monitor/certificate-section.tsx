import type { SslStatusView } from '@watchpost/control-plane/capabilities/verdicts/warnings/ssl-schemas';
import { useResource } from '../../data/resources.js';
import { Facts } from '../../parts/section.js';
import { countText, firstOf } from '../../parts/format.js';
import { NotLoaded } from '../../parts/loaded.js';
import { isNearExpiry } from '../../parts/near-expiry.js';
import { StateMark, Time } from '../../parts/marks.js';
import { nameInSubject } from './target.js';

const BAD = 'state-unavailable';

export function CertificateSection({ monitorId }: { monitorId: string }) {
  const status = useResource<SslStatusView>(`/api/v1/monitor/${monitorId}/ssl-status`);
  const { data } = status;
  if (data === undefined) return <NotLoaded of={status} />;
  if (data.checkedAt === null) return <p class="card card-body soft">Its certificate has not been checked yet.</p>;
  const { daysUntilExpiry: days, validTo, chain, subjectAltNames, failureReason } = data;
  const isNear = isNearExpiry(data);
  const state = failureReason !== null ? 'unavailable' : isNear ? 'partial' : 'available';
  return (
    <div class="card card-body stack">
      <p>
        <StateMark state={state} isQuiet />{' '}
        <strong>{failureReason ?? (days === null ? 'No certificate was read.' : validityText(days, isNear))}</strong>{' '}
        <Time at={data.checkedAt} class="soft" before="Checked " />
      </p>
      {validTo !== null && (
        <Facts
          look="tiles target-facts"
          facts={[
            ['Valid until', <Time key="until" at={validTo} as="moment" />, days !== null && days < 0 && BAD],
            ['Issued by', data.issuer && nameInSubject(data.issuer)],
            ['For', subjectAltNames && subjectAltNames.length > 0 && firstOf(subjectAltNames, 5)],
            ['Key', data.keyType && `${data.keyType.toUpperCase()} ${data.keyBits} bits`],
            ['Connection', data.protocol && `${data.protocol}, ${data.cipher}`],
            data.chainTrusted !== null && [
              'Chain',
              data.chainTrusted ? 'Trusted' : 'Not trusted',
              !data.chainTrusted && BAD,
            ],
            data.hostnameMatches !== null && [
              'Host name',
              data.hostnameMatches ? 'Matches' : 'Does not match',
              !data.hostnameMatches && BAD,
            ],
          ]}
        />
      )}
      {chain !== null && chain.length > 0 && (
        <div>
          <h3 class="below-2 soft small">Certificates of the chain</h3>
          <ol class="chain list lines gap-3">
            {chain.map(({ subject, issuer, validTo: until, fingerprint256 }) => (
              <li key={fingerprint256}>
                <strong>{subject}</strong>
                <Time at={until} as="moment" class="soft small" before={`by ${issuer}, until `} />
                <span class="mono small soft">{fingerprint256}</span>
              </li>
            ))}
          </ol>
        </div>
      )}
    </div>
  );
}

/** @param days whole days until it expires */
function validityText(days: number, isNear: boolean): string {
  if (!isNear && days > 0) return `Valid for ${countText(days, 'more day')}.`;
  return days < 1 ? 'Expires within a day.' : `Expires in ${countText(days, 'day')}.`;
}

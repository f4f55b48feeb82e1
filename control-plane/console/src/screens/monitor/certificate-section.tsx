import type { SslStatusView } from '@watchpost/control-plane/capabilities/verdicts/warnings/ssl-schemas';
import type { ComponentChildren } from 'preact';
import { useResource } from '../../data/use-resource.js';
import { countText } from '../../parts/format.js';
import { NotLoaded } from '../../parts/loaded.js';
import { isNearExpiry } from '../../parts/near-expiry.js';
import { StateMark } from '../../parts/state-mark.js';
import { Time } from '../../parts/time.js';
import { nameInSubject } from './target.js';

/** The certificate of the latest check, with its chain. */
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
        <span class="soft">
          Checked <Time at={data.checkedAt} />
        </span>
      </p>
      {validTo !== null && (
        <dl class="target-facts">
          <Fact name="Valid until" isBad={days !== null && days < 0}>
            <Time at={validTo} as="moment" />
          </Fact>
          {data.issuer !== null && <Fact name="Issued by">{nameInSubject(data.issuer)}</Fact>}
          {subjectAltNames !== null && subjectAltNames.length > 0 && (
            <Fact name="For">
              {subjectAltNames.slice(0, 5).join(', ')}
              {subjectAltNames.length > 5 && ` and ${subjectAltNames.length - 5} more`}
            </Fact>
          )}
          {data.keyType !== null && (
            <Fact name="Key">
              {data.keyType.toUpperCase()} {data.keyBits} bits
            </Fact>
          )}
          {data.protocol !== null && (
            <Fact name="Connection">
              {data.protocol}, {data.cipher}
            </Fact>
          )}
          {data.chainTrusted !== null && (
            <Fact name="Chain" isBad={!data.chainTrusted}>
              {data.chainTrusted ? 'Trusted' : 'Not trusted'}
            </Fact>
          )}
          {data.hostnameMatches !== null && (
            <Fact name="Host name" isBad={!data.hostnameMatches}>
              {data.hostnameMatches ? 'Matches' : 'Does not match'}
            </Fact>
          )}
        </dl>
      )}
      {chain !== null && chain.length > 0 && (
        <div>
          <h3 class="monitor-sub">Chain, as the server sends it</h3>
          <ol class="chain">
            {chain.map(({ subject, issuer, validTo: until, fingerprint256 }) => (
              <li key={fingerprint256}>
                <strong>{subject}</strong>
                <span class="soft small">
                  by {issuer}, until <Time at={until} as="moment" />
                </span>
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

function Fact({ name, isBad = false, children }: { name: string; isBad?: boolean; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isBad ? 'state-unavailable' : undefined}>{children}</dd>
    </div>
  );
}

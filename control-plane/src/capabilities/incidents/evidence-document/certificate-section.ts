import { type Html, html } from '../../../platform/http/html.js';
import { momentText } from '@watchpost/shared/design/texts';
import { stateMark } from '../../../platform/pages/state-mark.js';
import type { CertificateEvidence, FailureEvidence, SeenCertificate } from '../incident-evidence-schemas.js';
import type { DocumentLimits } from './document-limits.js';
import type { Presenter } from './presenter.js';

/** The certificates that the server presented: those of an SSL check, or else the one that another check refused. */
export function certificateSection(
  seen: SeenCertificate | null,
  failures: readonly FailureEvidence[],
  shown: Presenter,
  limits: DocumentLimits,
  zone: string,
): Html | null {
  const refused = failures.find(({ evidence }) => evidence?.certificate)?.evidence?.certificate;
  const chain: readonly CertificateEvidence[] =
    seen?.chain && seen.chain.length > 0
      ? seen.chain
      : seen
        ? [{ ...seen, serialNumber: '', fingerprint256: seen.fingerprint256 ?? '' }]
        : refused
          ? [refused]
          : [];
  if (chain.length === 0) return null;
  const findings: [boolean | null | undefined, string, string][] = [
    [seen?.chainTrusted, 'The chain leads to a trusted authority.', 'The chain does not lead to a trusted authority.'],
    [seen?.hostnameMatches, 'It is valid for this name.', 'It is not valid for this name.'],
  ];
  return html`<section>
    <h2>The certificate</h2>
    <div class="card">
      ${findings.map(([is, good, bad]) =>
        typeof is !== 'boolean'
          ? html``
          : html`<p class="state ${is ? 'fine' : 'failing'}">
              ${stateMark(is ? 'available' : 'unavailable')}${is ? good : bad}
            </p>`,
      )}
      ${
        typeof seen?.daysUntilExpiry === 'number' &&
        html`<p>
          ${seen.daysUntilExpiry < 0 ? 'It has expired' : `It expires in ${seen.daysUntilExpiry} ${seen.daysUntilExpiry === 1 ? 'day' : 'days'}`},
          as of that check.
        </p>`
      }
      ${
        seen?.subjectAltNames &&
        seen.subjectAltNames.length > 0 &&
        html`<p>
          Valid for ${shown.text(seen.subjectAltNames.slice(0, limits.records).join(', '), limits.valueChars)}
        </p>`
      }
      <ol>
        ${chain.slice(0, limits.certificates).map((one) => certificateItem(one, shown, limits, zone))}
      </ol>
      <p class="soft">In the order in which the server presents them, its own first.</p>
    </div>
  </section>`;
}

function certificateItem(
  { subject, issuer, validFrom, validTo, fingerprint256 }: CertificateEvidence,
  shown: Presenter,
  { valueChars }: DocumentLimits,
  zone: string,
): Html {
  const day = (text: string) =>
    Number.isFinite(Date.parse(text)) ? momentText(Date.parse(text), zone) : shown.text(text, valueChars);
  return html`<li>
    <strong>${shown.text(subject, valueChars)}</strong><br />
    issued by ${shown.text(issuer, valueChars)}<br />
    valid from ${day(validFrom)} to ${day(validTo)}
    ${fingerprint256 !== '' && html`<br /><span class="soft">SHA-256 ${shown.text(fingerprint256, 100)}</span>`}
  </li>`;
}

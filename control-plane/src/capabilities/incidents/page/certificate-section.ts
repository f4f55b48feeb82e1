import { type Html, html } from '../../../platform/http/html.js';
import { momentText } from '../../../platform/pages/moment-text.js';
import type { CertificateShown, FailureShown, SeenCertificate } from './page-evidence.js';
import type { PageLimits } from './page-limits.js';
import type { Shown } from './shown.js';

/** The certificates that were shown: those of an SSL check, else the one that another check did not accept. */
export function certificateSection(
  seen: SeenCertificate | null,
  failures: readonly FailureShown[],
  shown: Shown,
  limits: PageLimits,
  zone: string,
): Html | null {
  const refused = failures.find(({ evidence }) => evidence?.certificate)?.evidence?.certificate;
  const chain: readonly CertificateShown[] =
    seen?.chain && seen.chain.length > 0
      ? seen.chain
      : seen
        ? [{ ...seen, serialNumber: '', fingerprint256: seen.fingerprint256 ?? '' }]
        : refused
          ? [refused]
          : [];
  if (chain.length === 0) return null;
  const said: [boolean | null | undefined, string, string][] = [
    [
      seen?.chainTrusted,
      'The chain leads to an authority that is trusted.',
      'The chain does not lead to an authority that is trusted.',
    ],
    [seen?.hostnameMatches, 'The name is among those that it was made for.', 'It was made for other names.'],
  ];
  return html`<section>
    <h2>The certificate</h2>
    <div class="card">
      ${said.map(([is, good, bad]) =>
        typeof is !== 'boolean'
          ? html``
          : html`<p class="${is ? 'fine' : 'failing'}">${is ? '✓' : '✕'} ${is ? good : bad}</p>`,
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
        html`<p>Made for ${shown.text(seen.subjectAltNames.slice(0, limits.records).join(', '), limits.valueChars)}</p>`
      }
      <ol>
        ${chain.slice(0, limits.certificates).map((one) => certificateItem(one, shown, limits, zone))}
      </ol>
      <p class="soft">As the server shows them, its own first.</p>
    </div>
  </section>`;
}

function certificateItem(
  { subject, issuer, validFrom, validTo, fingerprint256 }: CertificateShown,
  shown: Shown,
  { valueChars }: PageLimits,
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

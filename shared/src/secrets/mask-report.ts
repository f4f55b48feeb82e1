import type { Evidence, ProbeReport } from '../outcome.js';
import type { SecretMask } from './secret-mask.js';

/** Masks secrets of the request in everything that came from the target. */
export function maskReport<Report extends ProbeReport>(report: Report, mask: SecretMask): Report {
  const { outcome, evidence } = report;
  return {
    ...report,
    outcome: outcome.kind === 'up' ? outcome : { ...outcome, message: mask(outcome.message) },
    evidence: evidence && maskEvidence(evidence, mask),
  };
}

/** Certificates and addresses precede the request, so that they cannot contain its secrets. */
function maskEvidence({ hops, headers, notes, bodyStart, received, ...rest }: Evidence, mask: SecretMask): Evidence {
  return {
    ...rest,
    ...(hops && { hops: hops.map((hop) => ({ ...hop, url: mask(hop.url) })) }),
    // A site can use a secret as the name of a header, too.
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [mask(name), mask(value)])),
    }),
    ...(notes && { notes: notes.map(mask) }),
    ...(bodyStart !== undefined && { bodyStart: mask(bodyStart) }),
    ...(received !== undefined && { received: mask(received) }),
  };
}

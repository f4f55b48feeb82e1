import type { Evidence, ProbeReport } from '../outcome.js';
import type { SecretMask } from './secret-mask.js';

/** What an HTTP check found, where nothing that came from the target repeats a secret of the request. */
export function maskReport<Report extends ProbeReport>(report: Report, mask: SecretMask): Report {
  const { outcome, evidence } = report;
  return {
    ...report,
    outcome: outcome.kind === 'up' ? outcome : { ...outcome, message: mask(outcome.message) },
    evidence: evidence && maskEvidence(evidence, mask),
  };
}

/** Certificates and addresses are of connections: no request was sent yet that they could repeat. */
function maskEvidence({ hops, headers, bodyStart, received, ...rest }: Evidence, mask: SecretMask): Evidence {
  return {
    ...rest,
    ...(hops && { hops: hops.map((hop) => ({ ...hop, url: mask(hop.url) })) }),
    // A site may make a header's name of what it got, too.
    ...(headers && {
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [mask(name), mask(value)])),
    }),
    ...(bodyStart !== undefined && { bodyStart: mask(bodyStart) }),
    ...(received !== undefined && { received: mask(received) }),
  };
}

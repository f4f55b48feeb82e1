import type { Evidence, Outcome, ProbeReport } from '../outcome.js';
import type { SecretMask } from './secret-mask.js';

/** Masks secrets of the request in everything that came from the target. */
export function maskReport<Report extends ProbeReport>(report: Report, mask: SecretMask): Report {
  const { outcome, evidence, addresses, steps } = report;
  return {
    ...report,
    outcome: maskOutcome(outcome, mask),
    evidence: evidence && maskEvidence(evidence, mask),
    ...(addresses && {
      addresses: addresses.map((one) => maskMessage(one, mask)),
    }),
    ...(steps && { steps: steps.map((one) => maskMessage(one, mask)) }),
  };
}

function maskMessage<One extends { message: string | null }>(one: One, mask: SecretMask): One {
  return { ...one, message: one.message && mask(one.message) };
}

function maskOutcome(outcome: Outcome, mask: SecretMask): Outcome {
  if (outcome.kind !== 'up') return { ...outcome, message: mask(outcome.message) };
  return outcome.degraded === undefined ? outcome : { ...outcome, degraded: mask(outcome.degraded) };
}

/** Certificates and addresses precede the request, so that they cannot contain its secrets. */
function maskEvidence(
  { assertions, hops, headers, notes, bodyStart, received, ...rest }: Evidence,
  mask: SecretMask,
): Evidence {
  return {
    ...rest,
    ...(assertions && {
      assertions: assertions.map((one) => ({
        ...maskMessage(one, mask),
        expected: mask(one.expected),
        actual: one.actual && mask(one.actual),
      })),
    }),
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

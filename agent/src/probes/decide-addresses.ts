import type { AddressResult, Outcome, ProbeReport } from '@watchpost/shared/outcome';

export interface CheckedAddress {
  address: string;
  /** `ip:port`, for sentences. */
  place: string;
  report: ProbeReport;
}

/**
 * The report of a check of each address. A family without a route from the agent is left out; any other fault of the agent leaves
 * the whole check inconclusive. The figures are those of the first address that fails, or else of the slowest.
 * @param found in an order that is the same at every check, at least one
 */
export function decideAddresses(found: readonly CheckedAddress[], mustAllWork: boolean): ProbeReport {
  const reports = found.map(({ report }) => report);
  const spoiled = reports.find(({ outcome }) => outcome.kind === 'inconclusive' && !isWithoutRoute(outcome));
  const checked = found.filter(({ report: { outcome } }) => outcome.kind !== 'inconclusive');
  const failed = checked.filter(({ report: { outcome } }) => outcome.kind === 'down');
  // Of an SSL check, only the certificate is judged: a dead address must not hide an expired one.
  const first = failed.find(({ report }) => isAboutCertificate(report.outcome)) ?? failed[0];
  const degraded = reports.find(({ outcome }) => outcome.kind === 'up' && outcome.degraded !== undefined);
  const shown = spoiled ?? first?.report ?? degraded ?? slowest(checked) ?? reports[0]!;
  const detail = shown.detail ?? reports.find((report) => report.detail)?.detail;
  return {
    ...shown,
    outcome: spoiled || !first ? shown.outcome : failureOf(first, failed.length, checked.length, mustAllWork),
    ...(detail ? { detail } : {}),
    addresses: found.map(resultOf),
  };
}

function failureOf(first: CheckedAddress, failed: number, checked: number, mustAllWork: boolean): Outcome {
  const { outcome } = first.report;
  if (outcome.kind !== 'down' || checked === 1) return outcome;
  const message = `${failed} of ${checked} addresses failed: ${whatFailed(first.place, outcome)}`;
  return { ...outcome, message, ...(failed < checked && !mustAllWork ? { isPartial: true as const } : {}) };
}

/** The sentence about one of several addresses, which begins with the address. */
function whatFailed(place: string, { phase, reason, message }: Extract<Outcome, { kind: 'down' }>): string {
  if (phase === 'connect' && reason === 'timeout') return `${place} did not answer the connection in time.`;
  for (const start of ['The server at ', 'The service at '])
    if (message.startsWith(`${start}${place} `)) return message.slice(start.length);
  return message.includes(place) ? message : `${place}: ${message}`;
}

function resultOf({ address, report }: CheckedAddress): AddressResult {
  const { outcome, totalUs, detail } = report;
  const isChecked = outcome.kind !== 'inconclusive';
  return {
    address,
    status: outcome.kind === 'up' ? 'available' : isChecked ? 'unavailable' : 'notChecked',
    responseUs: isChecked ? totalUs : null,
    certificateFingerprint: (detail?.kind === 'ssl' ? detail.fingerprint256 : report.certificateFingerprint) ?? null,
    message: outcome.kind === 'up' ? null : outcome.message,
  };
}

function slowest(checked: readonly CheckedAddress[]): ProbeReport | undefined {
  return checked.map(({ report }) => report).toSorted((a, b) => b.totalUs - a.totalUs)[0];
}

function isWithoutRoute(outcome: Outcome): boolean {
  return outcome.kind === 'inconclusive' && outcome.reason === 'agent_no_network';
}

function isAboutCertificate(outcome: Outcome): boolean {
  return outcome.kind === 'down' && outcome.reason.startsWith('certificate_');
}

import type { X509Certificate } from 'node:crypto';
import { DAY_MS } from '@watchpost/shared/time';
import type { ChainVerdict } from './judge-chain.js';
import { commonNameOf, daysText, minuteText } from './certificate-summary.js';
import { ProbeFault } from './probe-fault.js';
import type { Refusal } from './refusal.js';
import { weaknessFault } from './weakness-fault.js';

export interface CertificateFacts {
  host: string;
  address: string;
  chain: ChainVerdict;
  hostnameMatches: boolean;
  /** The names in the certificate, as text for a sentence; null without any. */
  names: string | null;
  isRevoked: boolean;
  /** OpenSSL's refusal, at its lowest level of security; null if it accepts the certificates. */
  refusal: Refusal | null;
}

/** Refusals about the chain, the dates and the name, which are decided here, by the roots that the check trusts. */
const DECIDED_HERE: ReadonlySet<string> = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Whole days until a time, rounded down; negative after it. */
export function daysUntil(validTo: string, nowMs: number): number {
  return Math.floor((Date.parse(validTo) - nowMs) / DAY_MS);
}

/** A certificate expires soon when less than the smaller of this time and this share of its lifetime remains. */
const SOON_MS = 7 * DAY_MS;
const SOON_SHARE = 0.15;

/**
 * Whether a certificate expires soon.
 * @param incidentDays whole days, rounded down; null: judged by its lifetime, which can be a few days only
 */
export function expiresSoon(
  { validFrom, validTo }: Pick<X509Certificate, 'validFrom' | 'validTo'>,
  incidentDays: number | null,
  nowMs: number,
): boolean {
  if (incidentDays !== null) return daysUntil(validTo, nowMs) <= incidentDays;
  const endsMs = Date.parse(validTo);
  return endsMs - nowMs < Math.min(SOON_MS, SOON_SHARE * (endsMs - Date.parse(validFrom)));
}

/**
 * The most urgent fault of a certificate: one that stops visitors now before one that soon will. Null without a fault.
 */
export function decideCertificate(
  facts: CertificateFacts,
  incidentDays: number | null,
  nowMs: number,
): ProbeFault | null {
  const { host, address, chain } = facts;
  const [leaf, ...above] = chain.path;
  const subject = nameOf(leaf?.subject);
  if (leaf && Date.parse(leaf.validTo) <= nowMs)
    return new ProbeFault('certificate_expired', { host, subject, validTo: minuteText(leaf.validTo) });
  const early = chain.path.find((one) => Date.parse(one.validFrom) > nowMs);
  if (early) return notYetValidFault(early, host);
  if (!facts.hostnameMatches) return wrongHostFault(facts.names, host, address);
  const issuer = nameOf(chain.path.at(-1)?.issuer);
  if (chain.fault === 'selfSigned') return new ProbeFault('certificate_self_signed', { host });
  if (chain.fault === 'noIntermediate') return new ProbeFault('certificate_no_intermediate', { address, host, issuer });
  if (chain.fault === 'unknownAuthority') return new ProbeFault('certificate_unknown_authority', { host, issuer });
  if ([...above, ...(chain.root ? [chain.root] : [])].some((one) => Date.parse(one.validTo) <= nowMs))
    return new ProbeFault('certificate_chain_expired', { host });
  if (facts.isRevoked) return new ProbeFault('certificate_revoked', { host });
  const weak = weaknessFault(chain, host);
  if (weak) return weak;
  if (facts.refusal !== null && !DECIDED_HERE.has(facts.refusal.code))
    return new ProbeFault('certificate_not_accepted', { host, why: facts.refusal.why });
  const soon = chain.path.find((one) => expiresSoon(one, incidentDays, nowMs));
  if (!soon) return null;
  const when = { host, days: daysText(daysUntil(soon.validTo, nowMs)), validTo: minuteText(soon.validTo) };
  return soon === leaf
    ? new ProbeFault('certificate_expiring', when)
    : new ProbeFault('certificate_chain_expiring', { ...when, subject: nameOf(soon.subject) });
}

/** @param names the names in the certificate, as text; null without any */
export function wrongHostFault(names: string | null, host: string, address: string): ProbeFault {
  return names === null
    ? new ProbeFault('certificate_without_names', { address, host })
    : new ProbeFault('certificate_wrong_host', { address, host, names });
}

export function notYetValidFault(certificate: X509Certificate | undefined, host: string): ProbeFault {
  const [subject, validFrom] = [nameOf(certificate?.subject), minuteText(certificate?.validFrom)];
  return new ProbeFault('certificate_not_yet_valid', { host, subject, validFrom });
}

function nameOf(name: string | undefined): string {
  return commonNameOf(name) ?? 'without a name';
}

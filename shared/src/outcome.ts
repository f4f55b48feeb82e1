import type { AssertionResult } from './assertions/assertion.js';
import type { CheckKey } from './check.js';
import type { DnsRecordType } from './checks/dns.js';
import type { DownReason, FailurePhase, InconclusiveReason } from './checks/fault-kind.js';

/** Stored as numbers, the same as in the wire contract: never change them. */
export const OUTCOME_CODES = { up: 1, down: 2, inconclusive: 3 } as const;
export type OutcomeKind = keyof typeof OUTCOME_CODES;

/** The outcome of a check. A target that is down is an outcome, never an exception. */
export type Outcome =
  /** `degraded`: why the monitor is degraded although the check is healthy, as a sentence. */
  | { kind: 'up'; degraded?: string }
  /** `isPartial`: the target works at some of its addresses. */
  | { kind: 'down'; phase: FailurePhase; reason: DownReason; message: string; isPartial?: true }
  | { kind: 'inconclusive'; reason: InconclusiveReason; message: string };

/** Decides whether there is nothing to report of a check: it succeeded, and no assertion that only warns failed. */
export function isHealthy(outcome: Outcome): boolean {
  return outcome.kind === 'up' && outcome.degraded === undefined;
}

/** Microseconds; 0 for a phase that did not happen. Sums over all hops of a redirect chain. */
export interface Timings {
  dnsUs: number;
  connectUs: number;
  tlsUs: number;
  firstByteUs: number;
  transferUs: number;
  /** The request for an access token, which is no part of the duration of the check. */
  authUs?: number;
}

/** One request of an HTTP check; a redirect chain has several. */
export interface HopEvidence {
  url: string;
  address: string | null;
  statusCode: number | null;
  /** The version of HTTP that the connection spoke; null where there was none. */
  httpVersion: '1.1' | '2' | null;
  timings: Timings;
  /** It asked for an access token; the other hops are requests to the target. */
  isTokenRequest?: true;
  /** The name of the step whose request it is; left out for the monitor's own. */
  step?: string;
  /** The verdict of a run follows from it: it is kept where evidence is shortened. Not sent. */
  isDecisive?: true;
}

/** A run of ten requests, each with redirects, can have more hops than a reader of the evidence needs. */
export const MOST_HOPS = 128;

/** A name can have many more addresses than a reader of the evidence needs. */
export const MAX_RESOLVED = 100;

/** The evidence of a failure or a degradation, captured during the attempt. */
export interface Evidence {
  /** All assertions of the check, in their order; left out without any. */
  assertions?: AssertionResult[];
  hops?: HopEvidence[];
  /** The response headers, with secrets masked. */
  headers?: Record<string, string>;
  /** What is wrong with the answer and does not keep browsers from showing it, as sentences. */
  notes?: string[];
  /** The first 2 KiB of the body, as text. */
  bodyStart?: string;
  /** The server's certificate, if an HTTP check did not accept it. */
  certificate?: CertificateSummary & { subjectAltNames: string[] };
  /** Addresses that the name resolved to, at most `MAX_RESOLVED`. */
  resolved?: string[];
  /** The response of a TCP or UDP service, at most 2 KiB: text, or `hex:` and digits. */
  received?: string;
  /** The way to the address to which the check could not connect; of its first failure, where the agent can trace. */
  path?: PathEvidence;
}

/** One router on the way to an address, or the address itself. */
export interface PathHop {
  /** Its number, from 1. */
  ttl: number;
  /** Null: nothing answered there, which routers need not do. */
  address: string | null;
  /** The name of the address by the agent's resolver. */
  name: string | null;
  /** The shortest time of an answer. */
  rttMs: number | null;
  /** Percent of the packets without an answer; of the checked address alone. */
  loss: number | null;
}

/** A way has at most this many hops. */
export const MOST_PATH_HOPS = 30;

/** The way of connections to an address. */
export interface PathEvidence {
  /** `ip:port` to which it was traced. */
  address: string;
  /** ISO 8601. */
  tracedAt: string;
  /** Whether the address itself answered, with a connection or a refusal. */
  reached: boolean;
  /** Up to the last one that answered, at most `MOST_PATH_HOPS`. */
  hops: PathHop[];
  /** The number of the last hop that answered; null where the address was reached, or nothing answered. */
  stoppedAt: number | null;
  /** The last way that reached it, of the last two days. */
  lastGood: { tracedAt: string; hops: PathHop[] } | null;
}

/** A certificate of a chain, as it was presented. */
export interface CertificateSummary {
  /** Distinguished names on one line: `CN=shop.example, O=Shop`. */
  subject: string;
  issuer: string;
  serialNumber: string;
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
  /** Upper-case hex pairs with colons. */
  fingerprint256: string;
}

/** The revocation status of a server's certificate (RFC 6960), stapled to the handshake; its signature is not verified. */
export interface OcspStaple {
  status: 'good' | 'revoked' | 'unknown' | 'unreadable';
  thisUpdate: string | null;
  nextUpdate: string | null;
  revokedAt: string | null;
}

export interface SslDetail extends CertificateSummary {
  kind: 'ssl';
  isValid: boolean;
  /** Whole days until the certificate itself expires, rounded down; negative once it has. */
  daysUntilExpiry: number;
  subjectAltNames: string[];
  /** `rsa`, `ec`, `ed25519` … */
  keyType: string;
  keyBits: number | null;
  /** OpenSSL's name, such as `ecdsa-with-SHA256`, or an OID. */
  signatureAlgorithm: string;
  /** `TLSv1.3` … */
  protocol: string;
  cipher: string;
  /** Leaf first; the root only where the server sends it. */
  chain: CertificateSummary[];
  chainTrusted: boolean;
  hostnameMatches: boolean;
  ocspStapled: boolean;
  ocsp: OcspStaple | null;
  /** Some lists and texts are truncated, because the detail was too long. */
  isCut?: true;
}

/** The records of one name by type, normalised: lower-case names without the final dot, sorted. */
export type DnsRecords = Partial<Record<DnsRecordType, string[]>>;
/** Why record types could not be looked up, in a few words. */
export type DnsFailures = Partial<Record<DnsRecordType, string>>;

/** The response of one authoritative server of a zone. */
export interface DnsServerAnswer {
  /** Name and address: `ns1.example.com (192.0.2.53)`. */
  server: string;
  serial: number | null;
  records: DnsRecords | null;
  error: string | null;
}

export interface DnsDetail {
  kind: 'dns';
  /** `address:port` of the resolver that answered; null if none did. */
  resolver: string | null;
  /** Of the types that were answered; an empty list where the name has none. */
  records: DnsRecords;
  /** The types that failed; left out without any. */
  failures?: DnsFailures;
  responseUs: number;
  /** Null if it was not requested, or the servers of the zone could not be found. */
  propagation: { consistent: boolean; convergedPercent: number; servers: DnsServerAnswer[] } | null;
  /** Some lists and texts are truncated, because the detail was too long. */
  isCut?: true;
}

/** A name can have many more addresses than one check looks at. */
export const MOST_ADDRESSES = 10;

/** One address of a name, where a check connects to each. */
export interface AddressResult {
  address: string;
  /** `notChecked`: the agent has no route to its family. */
  status: 'available' | 'unavailable' | 'notChecked';
  /** Null where it was not checked. */
  responseUs: number | null;
  certificateFingerprint: string | null;
  /** The reason why it is not available, as a sentence. */
  message: string | null;
}

/** The outcome of one step of an HTTP check; all null but the name: it did not run. */
export interface StepResult {
  name: string;
  wasAvailable: boolean | null;
  statusCode: number | null;
  totalUs: number | null;
  timings: Timings | null;
  /** The reason why it failed, as a sentence. */
  message: string | null;
}

/** The answers to the packets of a ping: late and second ones do not count. Without any, there are no times. */
export interface PingFigures {
  sent: number;
  received: number;
  minMs: number | null;
  averageMs: number | null;
  maxMs: number | null;
  stddevMs: number | null;
}

/** The findings of a check about single addresses of a name, single steps and the packets of a ping; without any, there are none. */
export interface CheckFindings {
  /** They come from a check of each address, at most `MOST_ADDRESSES`. */
  addresses?: AddressResult[];
  /** Addresses that failed on the way to a connection, or were left out, as sentences; at most `MOST_ADDRESSES`. */
  addressWarnings?: string[];
  /** One for each step of the target, in their order. */
  steps?: StepResult[];
  ping?: PingFigures;
}

export interface ProbeReport extends CheckFindings {
  outcome: Outcome;
  /** Wall-clock start, ms since the epoch. */
  startedAtMs: number;
  totalUs: number;
  timings: Timings;
  statusCode: number | null;
  /** `ip:port` (IPv6 in brackets) of the connection of the last hop. */
  address: string | null;
  evidence: Evidence | null;
  /**
   * Only of a failure, or a degradation, that follows from a complete response of the target, which is the same however late the agent reads
   * it. `verified`: every hop used TLS with verified chain and name, so that nothing on the way can have forged it.
   */
  answer?: 'complete' | 'verified';
  /** Of a complete response that is not verified: the same where responses look alike. 32 bits with sign, never 0. */
  answerDigest?: number;
  detail?: SslDetail | DnsDetail;
  /** It comes from an HTTP check of each address over TLS, and is not sent by itself. */
  certificateFingerprint?: string;
  /** `ip:port` that was tried first where no address could be connected to; not sent. */
  tried?: string;
}

/** The result of a scheduled check: spooled, sent and stored. */
export interface CheckResult extends ProbeReport {
  key: CheckKey;
  /** The scheduled time, ms since the epoch. (monitor, kind, region, scheduledAt) is unique. */
  scheduledAtMs: number;
  /** How long the result is the state of its region. */
  freshMs: number;
  /** The delay of the agent's event loop during the check. */
  loopLagUs: number;
}

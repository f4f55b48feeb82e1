import type { CheckKey, DnsRecordType } from './check.js';

/** Stored as numbers, the same as in the wire contract: never change them. */
export const OUTCOME_CODES = { up: 1, down: 2, inconclusive: 3 } as const;
export type OutcomeKind = keyof typeof OUTCOME_CODES;

/** Where a check failed, in the order in which a check goes through them. */
export type FailurePhase = 'egress' | 'dns' | 'connect' | 'tls' | 'request' | 'firstByte' | 'transfer' | 'content';

/** Why a target counts as down. `message` beside it is the sentence for people. */
export type DownReason =
  | 'address_not_allowed'
  | 'invalid_target'
  | 'dns_not_found'
  | 'dns_failure'
  | 'connection_refused'
  | 'connection_reset'
  | 'host_unreachable'
  | 'connection_failed'
  | 'tls_failure'
  | 'certificate_invalid'
  | 'certificate_expiring'
  | 'protocol_error'
  | 'timeout'
  | 'too_many_redirects'
  | 'bad_redirect'
  | 'unexpected_status'
  | 'keyword_missing'
  | 'keyword_present'
  | 'unexpected_answer'
  | 'dns_mismatch';

/** Why nobody could tell: the agent is at fault, and the target may be fine. */
export type InconclusiveReason =
  | 'agent_late'
  | 'agent_overloaded'
  | 'agent_no_network'
  | 'agent_no_descriptors'
  | 'agent_stopping';

/** What a check found out. A target that is down is an outcome, never an exception. */
export type Outcome =
  | { kind: 'up' }
  | { kind: 'down'; phase: FailurePhase; reason: DownReason; message: string }
  | { kind: 'inconclusive'; reason: InconclusiveReason; message: string };

/** Microseconds; 0 for a phase that did not happen. Sums over all hops of a redirect chain. */
export interface Timings {
  dnsUs: number;
  connectUs: number;
  tlsUs: number;
  firstByteUs: number;
  transferUs: number;
}

/** One request of an HTTP check; a redirect chain has several. */
export interface HopEvidence {
  url: string;
  address: string | null;
  statusCode: number | null;
  timings: Timings;
}

/** What was seen when it failed, captured at the failing attempt and not after it. */
export interface Evidence {
  hops?: HopEvidence[];
  /** The answer's headers, secrets left out. */
  headers?: Record<string, string>;
  /** The first 2 KiB of the body, as text. */
  bodyStart?: string;
  /** The server's own certificate, where an HTTP check did not accept it. */
  certificate?: CertificateSummary & { subjectAltNames: string[] };
  /** Addresses that the name resolved to. */
  resolved?: string[];
  /** What a TCP or UDP service sent, at most 2 KiB: as text, or `hex:` and digits where it is none. */
  received?: string;
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

/** What a server says of its own certificate's revocation (RFC 6960), stapled to the handshake; its signature is not verified. */
export interface OcspStaple {
  status: 'good' | 'revoked' | 'unknown' | 'unreadable';
  thisUpdate: string | null;
  nextUpdate: string | null;
  revokedAt: string | null;
}

/** What an SSL check saw, whether it is up or down. */
export interface SslDetail extends CertificateSummary {
  kind: 'ssl';
  isValid: boolean;
  /** Whole days until the certificate itself expires, rounded down; negative once it has. */
  daysUntilExpiry: number;
  subjectAltNames: string[];
  /** `rsa`, `ec`, `ed25519` … */
  keyType: string;
  keyBits: number | null;
  /** As OpenSSL names it: `ecdsa-with-SHA256`; an OID where it has no name here. */
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
  /** Some of its lists and texts are cut: it was longer than a result may be. */
  isCut?: true;
}

/** The answers of one name by record type, in one spelling: lower-case names without the last dot, sorted. */
export type DnsRecords = Partial<Record<DnsRecordType, string[]>>;

/** One authoritative server of a zone, asked directly. */
export interface DnsServerAnswer {
  /** Name and address: `ns1.example.com (192.0.2.53)`. */
  server: string;
  serial: number | null;
  records: DnsRecords | null;
  error: string | null;
}

/** What a DNS check saw, whether it is up or down. */
export interface DnsDetail {
  kind: 'dns';
  /** `address:port` of the resolver that answered; null where none did. */
  resolver: string | null;
  records: DnsRecords;
  responseUs: number;
  /** Null where it was not asked for, or the zone's servers could not be found. */
  propagation: { consistent: boolean; convergedPercent: number; servers: DnsServerAnswer[] } | null;
  /** Some of its lists and texts are cut: it was longer than a result may be. */
  isCut?: true;
}

/** What a probe returns. */
export interface ProbeReport {
  outcome: Outcome;
  /** Wall-clock start, ms since the epoch. */
  startedAtMs: number;
  totalUs: number;
  timings: Timings;
  statusCode: number | null;
  /** `ip:port` (IPv6 in brackets) really connected to, of the last hop. */
  address: string | null;
  evidence: Evidence | null;
  /**
   * Of a failure that follows from what the target itself sent, whole: it says something about the target however late
   * the agent read it. `verified`: all of it came over TLS whose chain and name were verified, redirects included, so
   * nothing on the way can have forged it.
   */
  answer?: 'complete' | 'verified';
  /** What SSL and DNS checks report of their target at every check. */
  detail?: SslDetail | DnsDetail;
}

/** A scheduled check's result: what is spooled, streamed and stored. */
export interface CheckResult extends ProbeReport {
  key: CheckKey;
  /** The due time, ms since the epoch. (monitor, kind, region, scheduledAt) is unique. */
  scheduledAtMs: number;
  /** How long the result speaks for its region. */
  freshMs: number;
  /** The agent's own event loop delay while the check ran. */
  loopLagUs: number;
}

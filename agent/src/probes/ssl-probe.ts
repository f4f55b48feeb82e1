import type { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { SslTarget } from '@watchpost/shared/checks/ssl';
import type { SslDetail } from '@watchpost/shared/outcome';
import {
  hasReadableDates,
  isNamed,
  keyOf,
  namesOf,
  shownNames,
  signatureAlgorithmOf,
  summaryOf,
} from './certificate-summary.js';
import { daysUntil, decideCertificate } from './decide-certificate.js';
import { inspectTls, type Inspected } from './inspect-tls.js';
import { judgeChain } from './judge-chain.js';
import { readOcspStaple } from './ocsp-staple.js';
import type { ProbeContext } from './probe.js';
import { probeOfHost } from './probe-of-host.js';
import { ProbeFault } from './probe-fault.js';
import { refusalBy } from './refusal.js';
import { reachHost, usSince } from './reach-host.js';
import { writePayload } from './payload.js';
import { runScript } from './run-script.js';
import { differsFromMachine } from './secure-socket.js';

const EVIDENCE_BYTES = 2 * 1024;
const MOST_NAMES = 100;
/** The most certificates that are described. */
const MOST_SHOWN = 12;

/** Inspects the certificate of a server in its own handshake, which works with an invalid certificate, too. */
export const probeSsl = probeOfHost<SslTarget>(async (check) => {
  const { target, context, place, reach, deadline, report } = check;
  const socket = await reachHost(place, target, context, deadline, reach);
  if (socket instanceof ProbeFault) return report(socket);
  if (target.prelude !== null) {
    // The handshake follows it, so that what comes in plain text after it is a fault, too.
    const secure = (ready: Socket) => Promise.resolve(ready);
    const steps = [...target.prelude, { startTls: true } as const];
    const { fault, received } = await runScript({ socket, address: reach.address!, steps, secure, deadline });
    const seen = received.length > 0 ? { received: writePayload(received, EVIDENCE_BYTES) } : {};
    if (fault) return report(fault, seen);
  }
  const since = performance.now();
  const inspected = await inspectTls(socket, target.host, reach.address!, context.tls.inspecting, deadline);
  reach.timings.tlsUs = usSince(since);
  if (inspected instanceof ProbeFault) return report(inspected);
  const { fault, detail } = decideResult(target, inspected, reach.address!, context, context.tls.now());
  return { ...report(fault), ...(detail ? { detail } : {}) };
});

function decideResult(
  target: SslTarget,
  inspected: Inspected,
  address: string,
  context: ProbeContext,
  nowMs: number,
): { fault: ProbeFault | null; detail: SslDetail | null } {
  const [leaf] = inspected.presented;
  if (!leaf) return { fault: new ProbeFault('tls_failed', { address, code: 'no certificate' }), detail: null };
  const chain = judgeChain(inspected.presented, context.tls.roots(), nowMs);
  if (!chain.path.every(hasReadableDates)) {
    const { why } = refusalBy('ERROR_IN_CERT_NOT_AFTER_FIELD');
    return { fault: new ProbeFault('certificate_not_accepted', { host: target.host, why }), detail: null };
  }
  const host = target.host.endsWith('.') ? target.host.slice(0, -1) : target.host;
  const hostnameMatches = isNamed(leaf, host);
  const ocsp = inspected.ocsp && inspected.ocsp.length > 0 ? readOcspStaple(inspected.ocsp, leaf.serialNumber) : null;
  const names = namesOf(leaf);
  const facts = {
    host,
    address,
    chain,
    hostnameMatches,
    names: shownNames(leaf),
    isRevoked: ocsp?.status === 'revoked',
    refusal: inspected.refusal,
  };
  const faultAt = (ms: number): ProbeFault | null => decideCertificate(facts, target.incidentDays, ms);
  const fault = faultAt(nowMs);
  if (differsFromMachine(nowMs) && (faultAt(Date.now()) === null) !== (fault === null))
    return { fault: new ProbeFault('agent_clock_disputed', { host }), detail: null };
  const summary = summaryOf(leaf);
  return {
    fault,
    detail: {
      kind: 'ssl',
      ...summary,
      // A certificate that expires soon is still valid.
      isValid: fault === null || fault.key === 'certificate_expiring' || fault.key === 'certificate_chain_expiring',
      daysUntilExpiry: daysUntil(summary.validTo, nowMs),
      subjectAltNames: names.slice(0, MOST_NAMES),
      ...keyOf(leaf),
      signatureAlgorithm: signatureAlgorithmOf(leaf),
      protocol: inspected.protocol,
      cipher: inspected.cipher,
      chain: withRoot(inspected.presented.slice(0, MOST_SHOWN), chain.root).filter(hasReadableDates).map(summaryOf),
      chainTrusted: chain.fault === null,
      hostnameMatches,
      ocspStapled: ocsp !== null,
      ocsp,
    },
  };
}

/** What was presented, and the root at its end, which servers need not send. */
function withRoot(presented: readonly X509Certificate[], root: X509Certificate | null): readonly X509Certificate[] {
  const isSent = root === null || presented.some((one) => one.fingerprint256 === root.fingerprint256);
  return isSent ? presented : [...presented, root];
}

import type { IncidentType } from '@watchpost/shared/incident-types';

/** What can have changed before an incident. */
export const CHANGE_KINDS = ['dns', 'certificate', 'configuration', 'maintenance', 'mark'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

/** The facts that are known of an incident. Text of the monitored site is in `message` alone, which is compared and never shown. */
export interface Observed {
  incidentType: IncidentType;
  /** Of the first failure; empty where there is none. */
  phase: string;
  reason: string;
  /** The sentence of an agent, with names and values of the site. */
  message: string;
  statusCode: number | null;
  /** True if it works at some addresses of its name. */
  isPartial: boolean;
  /** Regions by their verdict. */
  failing: number;
  fine: number;
  /** Names of monitors that it depends on and that fail. */
  failedDependencies: readonly string[];
  /** What changed in the hours before. */
  changed: ReadonlySet<ChangeKind>;
  /** Whether a maintenance window ended shortly before. */
  followsMaintenance: boolean;
  certificate: { daysUntilExpiry: number | null; chainTrusted: boolean | null; hostnameMatches: boolean | null } | null;
  /** Whether DNS answers differ from those before. */
  dnsDiffers: boolean;
  /** The phase that takes most of a check that was made now; null where none was. */
  slowPhase: string | null;
  /** Of a job. */
  report: 'reported' | 'late' | 'overrun' | null;
  /** The fault of the registration of a domain; null where it is no incident of a domain. */
  domain: 'expiring' | 'expired' | 'held' | 'notFound' | null;
  /** Earlier incidents of its kind in the day before. */
  recent: number;
  /** The outcomes of the checks that were made for the diagnosis. */
  rechecked: readonly string[];
}

export type Confidence = 'high' | 'medium' | 'low';

interface Facts {
  sentence: string;
  confidence: Confidence;
  suggestions: readonly string[];
}

const BACK = 'It works now from all places in `recheck`: watch whether it stays so before you act.';
const WHO = 'See who knows: `people` names who is on call and who was reached.';

/** Every cause that is distinguished, in words. */
const CAUSES = {
  dependency_down: {
    sentence: 'A monitor that it depends on fails; this is a consequence.',
    confidence: 'high',
    suggestions: ['Diagnose the incident of the monitor in `dependsOn` instead.'],
  },
  job_missing: {
    sentence: 'The job did not report in time.',
    confidence: 'high',
    suggestions: ['See whether its machine and its scheduler run.'],
  },
  job_overrun: {
    sentence: 'The job began and did not end in time.',
    confidence: 'high',
    suggestions: ['See whether it still runs, and what it waits for.'],
  },
  job_failed: {
    sentence: 'The job reported that it failed.',
    confidence: 'high',
    suggestions: ['Read what it sent in `firstEvidence`.'],
  },
  certificate_expired: {
    sentence: 'The certificate has expired.',
    confidence: 'high',
    suggestions: ['Renew the certificate, and see why its renewal did not happen.'],
  },
  certificate_expiring: {
    sentence: 'The certificate expires soon.',
    confidence: 'high',
    suggestions: ['Renew the certificate before it expires.'],
  },
  certificate_wrong_name: {
    sentence: 'The certificate is for another name.',
    confidence: 'high',
    suggestions: ['See which server answers at this address, and which certificate it was given.'],
  },
  certificate_revoked: {
    sentence: 'The certificate was revoked.',
    confidence: 'high',
    suggestions: ['Ask its authority why, and have a new one issued with a new key.'],
  },
  certificate_untrusted: {
    sentence: 'The certificate does not lead to a trusted authority.',
    confidence: 'high',
    suggestions: ['See whether the server sends its intermediate certificates.'],
  },
  domain_expiring: {
    sentence: 'The registration of the domain expires soon.',
    confidence: 'high',
    suggestions: [
      'Renew it at its registrar; see whether its automatic renewal and its means of payment are in order.',
    ],
  },
  domain_expired: {
    sentence: 'The registration of the domain has expired.',
    confidence: 'high',
    suggestions: ['Renew it at its registrar at once: after a time of grace others can register it.'],
  },
  domain_held: {
    sentence: 'The registry holds the domain, so that its names do not resolve or it is about to be deleted.',
    confidence: 'high',
    suggestions: [
      'Ask the registrar why: an unverified owner, a dispute, or an expiry. `firstEvidence` has the statuses.',
    ],
  },
  domain_not_found: {
    sentence: 'The registry does not know the domain: its registration is gone.',
    confidence: 'high',
    suggestions: ['Ask the registrar whether it can be restored, and compare the spelling of the monitor.'],
  },
  flapping: {
    sentence: 'It fails and recovers again and again.',
    confidence: 'medium',
    suggestions: ['Compare with `similar`; raise the number of checks before an alert if the failures are harmless.'],
  },
  one_region: {
    sentence: 'It fails from one region and works from the others: the way from there is at fault, or a block of it.',
    confidence: 'medium',
    suggestions: ['See whether a firewall, a CDN or a provider treats the region in `where` differently.'],
  },
  some_addresses: {
    sentence: 'It fails at some addresses of its name and works at the others.',
    confidence: 'high',
    suggestions: ['See what runs at the addresses in `firstEvidence`, and take them out of DNS until it works there.'],
  },
  dnssec_broken: {
    sentence: 'The answers of DNS are not signed as DNSSEC demands.',
    confidence: 'high',
    suggestions: ['See whether the zone is still signed, and whether its keys fit the DS records of the zone above.'],
  },
  dns_moved: {
    sentence: 'The answers of DNS changed before it failed.',
    confidence: 'high',
    suggestions: ['Compare the records in `changedBefore` with what they should be.'],
  },
  dns_failing: {
    sentence: 'The name cannot be resolved.',
    confidence: 'high',
    suggestions: ['See whether the domain has expired, and whether its name servers answer.'],
  },
  dns_unexpected: {
    sentence: 'The answers of DNS are not those that the monitor expects.',
    confidence: 'medium',
    suggestions: ['Compare the records in `firstEvidence` with the settings of the monitor.'],
  },
  maintenance_overran: {
    sentence: 'It still failed when a maintenance window ended.',
    confidence: 'high',
    suggestions: ['Ask whether the work is done; if not, extend the window.'],
  },
  settings_changed: {
    sentence: 'The settings of the monitor changed before it failed.',
    confidence: 'medium',
    suggestions: ['Compare the settings in `changedBefore`; the site may be fine.'],
  },
  deploy_broke_it: {
    sentence: 'A deploy or another change was marked before it failed.',
    confidence: 'medium',
    suggestions: ['See what the mark in `changedBefore` changed, and take it back if it fits.'],
  },
  answer_changed: {
    sentence: 'The site answers, and not as expected.',
    confidence: 'medium',
    suggestions: ['Compare the answer in `firstEvidence` with what the monitor expects.'],
  },
  rate_limited: {
    sentence: 'The site limits how often it is asked.',
    confidence: 'high',
    suggestions: ['Let the checks through, or check less often.'],
  },
  access_refused: {
    sentence: 'The site refuses access.',
    confidence: 'medium',
    suggestions: ['See whether credentials have expired, or a firewall blocks the checks.'],
  },
  page_gone: {
    sentence: 'The page does not exist any more.',
    confidence: 'medium',
    suggestions: ['See whether the page moved, and change the URL of the monitor.'],
  },
  redirects_wrong: {
    sentence: 'The site redirects in a circle, or to where nobody can follow.',
    confidence: 'high',
    suggestions: ['See the rules for redirects of the server and of what is before it.'],
  },
  connection_cut: {
    sentence: 'The server ends the connection before its answer is complete.',
    confidence: 'medium',
    suggestions: ['See whether its processes crash, and whether a proxy before it gives up on them.'],
  },
  server_error: {
    sentence: 'The server answers with an error of its own.',
    confidence: 'medium',
    suggestions: ['Read the logs of the server from the time in `since` on.'],
  },
  slow_server: {
    sentence: 'The server takes too long to answer.',
    confidence: 'medium',
    suggestions: ['See what the server waits for: its database, a service behind it, its processors.'],
  },
  slow_network: {
    sentence: 'Reaching the server takes too long.',
    confidence: 'medium',
    suggestions: ['See the way to the server: its network, its load balancer, its name servers.'],
  },
  packets_lost: {
    sentence: 'Packets are lost on the way to the server and back.',
    confidence: 'high',
    suggestions: ['See the way to the server: its network, and its provider.'],
  },
  unreachable: {
    sentence: 'No connection to the server can be made.',
    confidence: 'medium',
    suggestions: ['See whether the server and what is before it run, and whether its port is open.'],
  },
  tls_failing: {
    sentence: 'The connection cannot be encrypted.',
    confidence: 'medium',
    suggestions: ['See which versions of TLS and which names the server is configured for.'],
  },
  unknown: {
    sentence: 'The evidence does not show the cause.',
    confidence: 'low',
    suggestions: ['Read the whole evidence with get_incident.'],
  },
} as const satisfies Readonly<Record<string, Facts>>;

export type Cause = keyof typeof CAUSES;
export const CAUSE_NAMES = Object.keys(CAUSES) as [Cause, ...Cause[]];

/** Agents report these faults of certificates with one reason; their sentences differ. */
const CERTIFICATE_FAULTS: readonly (readonly [sentence: RegExp, cause: Cause])[] = [
  [/ has expired[.:]/, 'certificate_expired'],
  [/ is not for /, 'certificate_wrong_name'],
  [/ was revoked,/, 'certificate_revoked'],
  [/ the intermediate certificate | is self-signed| is not a trusted authority/, 'certificate_untrusted'],
];

/** The most likely cause, why it is thought, and what to do next. The first rule that fits decides. */
export function decideCause(seen: Observed): Facts & { cause: Cause } {
  const cause = causeOf(seen);
  const { sentence, confidence, suggestions } = CAUSES[cause];
  const isBack = seen.rechecked.length > 0 && seen.rechecked.every((outcome) => outcome === 'up');
  return {
    cause,
    sentence,
    // Many names change their addresses by the hour: it matters less to a server that answers.
    confidence:
      cause === 'dns_moved' && seen.phase === 'content' && seen.incidentType !== 'Dns' ? 'medium' : confidence,
    suggestions: [...(isBack ? [BACK] : []), ...suggestions, WHO],
  };
}

function causeOf(seen: Observed): Cause {
  const { incidentType, report, failedDependencies, followsMaintenance, recent, failing, fine, changed } = seen;
  if (incidentType === 'Heartbeat') return jobCause(report);
  if (seen.domain !== null) return DOMAIN_CAUSES[seen.domain];
  if (failedDependencies.length > 0) return 'dependency_down';
  if (incidentType === 'SslExpiry' || seen.reason.startsWith('certificate_')) return certificateCause(seen);
  if (followsMaintenance) return 'maintenance_overran';
  if (recent >= 3) return 'flapping';
  if (seen.isPartial) return 'some_addresses';
  if (incidentType === 'Dns' || seen.phase === 'dns') return dnsCause(seen);
  if (failing === 1 && fine >= 1 && incidentType === 'Availability') return 'one_region';
  if (changed.has('dns')) return 'dns_moved';
  if (changed.has('mark')) return 'deploy_broke_it';
  if (changed.has('configuration')) return 'settings_changed';
  if (incidentType === 'Latency')
    return ['dns', 'connect', 'tls'].includes(seen.slowPhase ?? '') ? 'slow_network' : 'slow_server';
  return outageCause(seen);
}

function dnsCause({ reason, message, dnsDiffers, changed }: Observed): Cause {
  if (/DNSSEC|cannot be validated/.test(message)) return 'dnssec_broken';
  if (reason === 'dns_not_found') return 'dns_failing';
  if (dnsDiffers || changed.has('dns')) return 'dns_moved';
  return reason === 'dns_mismatch' ? 'dns_unexpected' : 'dns_failing';
}

const DOMAIN_CAUSES = {
  expiring: 'domain_expiring',
  expired: 'domain_expired',
  held: 'domain_held',
  notFound: 'domain_not_found',
} as const;

function jobCause(report: Observed['report']): Cause {
  if (report === 'late') return 'job_missing';
  return report === 'overrun' ? 'job_overrun' : 'job_failed';
}

function certificateCause(seen: Observed): Cause {
  const { reason, message, certificate } = seen;
  if (reason === 'certificate_expiring') return 'certificate_expiring';
  const [, named] = CERTIFICATE_FAULTS.find(([sentence]) => sentence.test(message)) ?? [];
  if (named) return named;
  const days = certificate?.daysUntilExpiry ?? null;
  if (days !== null && days < 0) return 'certificate_expired';
  if (certificate?.hostnameMatches === false) return 'certificate_wrong_name';
  if (certificate?.chainTrusted === false) return 'certificate_untrusted';
  if (reason === 'certificate_invalid' || days === null) return outageCause(seen);
  return 'certificate_expiring';
}

function outageCause({ incidentType, phase, reason, message, statusCode }: Observed): Cause {
  if (statusCode === 429) return 'rate_limited';
  if (reason === 'too_many_redirects' || reason === 'bad_redirect') return 'redirects_wrong';
  if ([401, 403, 407].includes(statusCode ?? 0) || reason === 'auth_failed') return 'access_refused';
  if (statusCode === 404 || statusCode === 410) return 'page_gone';
  if (statusCode !== null && statusCode >= 500) return 'server_error';
  if (/ % were lost/.test(message)) return 'packets_lost';
  if (phase === 'connect') return 'unreachable';
  if (phase === 'tls') return reason === 'timeout' ? 'slow_network' : 'tls_failing';
  if (phase === 'content' || incidentType === 'Assertion')
    return / is not serving/.test(message) ? 'server_error' : 'answer_changed';
  if (reason === 'timeout') return 'slow_server';
  if (reason === 'connection_reset' || / closed the connection /.test(message)) return 'connection_cut';
  return phase === 'firstByte' || phase === 'transfer' ? 'server_error' : 'unknown';
}

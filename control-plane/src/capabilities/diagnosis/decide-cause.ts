import type { IncidentType } from '@watchpost/shared/incident-types';

/** What can have changed before an incident. */
export const CHANGE_KINDS = ['dns', 'certificate', 'configuration', 'maintenance', 'mark'] as const;
type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What is known of an incident, in our own words alone: nothing here is text of the monitored site. */
export interface Observed {
  incidentType: IncidentType;
  /** Of the first failure; empty where there is none. */
  phase: string;
  reason: string;
  statusCode: number | null;
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
  certificate_untrusted: {
    sentence: 'The certificate does not lead to a trusted authority.',
    confidence: 'high',
    suggestions: ['See whether the server sends its intermediate certificates.'],
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

/** The most likely cause, why it is thought, and what to do next. The first rule that fits decides. */
export function decideCause(seen: Observed): Facts & { cause: Cause } {
  const cause = causeOf(seen);
  const { sentence, confidence, suggestions } = CAUSES[cause];
  const isBack = seen.rechecked.length > 0 && seen.rechecked.every((outcome) => outcome === 'up');
  return { cause, sentence, confidence, suggestions: [...(isBack ? [BACK] : []), ...suggestions, WHO] };
}

function causeOf(seen: Observed): Cause {
  const { incidentType, report, failedDependencies, followsMaintenance, recent, failing, fine, changed } = seen;
  if (incidentType === 'Heartbeat') return jobCause(report);
  if (failedDependencies.length > 0) return 'dependency_down';
  if (incidentType === 'SslExpiry' || seen.reason.startsWith('certificate_')) return certificateCause(seen);
  if (followsMaintenance) return 'maintenance_overran';
  if (recent >= 3) return 'flapping';
  if (incidentType === 'Dns' || seen.phase === 'dns')
    return seen.dnsDiffers || changed.has('dns') ? 'dns_moved' : 'dns_failing';
  if (failing === 1 && fine >= 1 && incidentType === 'Availability') return 'one_region';
  if (changed.has('dns')) return 'dns_moved';
  if (changed.has('mark')) return 'deploy_broke_it';
  if (changed.has('configuration')) return 'settings_changed';
  if (incidentType === 'Latency')
    return ['dns', 'connect', 'tls'].includes(seen.slowPhase ?? '') ? 'slow_network' : 'slow_server';
  return incidentType === 'Assertion' ? 'answer_changed' : outageCause(seen);
}

function jobCause(report: Observed['report']): Cause {
  if (report === 'late') return 'job_missing';
  return report === 'overrun' ? 'job_overrun' : 'job_failed';
}

function certificateCause({ reason, certificate }: Observed): Cause {
  const days = certificate?.daysUntilExpiry ?? null;
  if (reason.endsWith('expired') || (days !== null && days < 0)) return 'certificate_expired';
  if (
    reason === 'certificate_wrong_host' ||
    reason === 'certificate_without_names' ||
    certificate?.hostnameMatches === false
  )
    return 'certificate_wrong_name';
  if (reason.endsWith('expiring')) return 'certificate_expiring';
  if (reason.startsWith('certificate_') || certificate?.chainTrusted === false) return 'certificate_untrusted';
  return days === null ? 'unknown' : 'certificate_expiring';
}

function outageCause({ phase, reason, statusCode }: Observed): Cause {
  if (statusCode === 429) return 'rate_limited';
  if (statusCode === 401 || statusCode === 403 || statusCode === 407 || phase === 'auth') return 'access_refused';
  if (statusCode === 404 || statusCode === 410) return 'page_gone';
  if (statusCode !== null && statusCode >= 500) return 'server_error';
  if (phase === 'connect') return 'unreachable';
  if (phase === 'tls') return reason === 'timeout' ? 'slow_network' : 'tls_failing';
  if (phase === 'firstByte' || phase === 'transfer') return reason === 'timeout' ? 'slow_server' : 'server_error';
  return phase === 'content' ? 'answer_changed' : 'unknown';
}

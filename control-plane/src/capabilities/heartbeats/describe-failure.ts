import { lengthText, momentText } from '@watchpost/shared/design/texts';
import type { EvidenceContext } from '../incidents/index.js';
import type { HeartbeatFailure } from './heartbeat.js';

export function failureReason(failure: HeartbeatFailure): string {
  switch (failure.kind) {
    case 'reported':
      return failure.exitCode === null
        ? 'The job reported that it failed.'
        : `The job ended with exit code ${failure.exitCode}.`;
    case 'late': {
      const last =
        failure.lastSuccessMs === null ? 'It never did.' : `The last one came ${momentText(failure.lastSuccessMs)}.`;
      return `The job did not report success by ${momentText(failure.atMs)}. ${last}`;
    }
    case 'overrun':
      return `The run that started ${momentText(failure.startedMs)} was not over after ${lengthText(failure.atMs - failure.startedMs, 'second')}.`;
  }
}

const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

/** The evidence of an incident: what the job reported, or until when it was expected to. */
export function failureEvidence(failure: HeartbeatFailure): EvidenceContext['heartbeat'] {
  switch (failure.kind) {
    case 'reported': {
      const { kind, atMs, exitCode, rid, runtimeMs, body } = failure;
      return { kind, at: iso(atMs), exitCode, rid, runtimeMs, body };
    }
    case 'late':
      return { kind: 'late', expectedBy: iso(failure.atMs), lastSuccess: iso(failure.lastSuccessMs) };
    case 'overrun':
      return { kind: 'overrun', at: iso(failure.atMs), started: iso(failure.startedMs), rid: failure.rid };
  }
}

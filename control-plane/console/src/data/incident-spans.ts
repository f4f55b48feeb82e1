import { durationText, momentText } from '../parts/format.js';
import type { MarkedSpan } from '../parts/time-axis.js';

interface Incident {
  started: string;
  ended: string | null;
  failureReason: string;
}

/** What a chart marks of incidents; those that go on last until now. */
export function incidentSpans(incidents: readonly Incident[], nowMs: number): MarkedSpan[] {
  return incidents.map(({ started, ended, failureReason }) => {
    const startMs = Date.parse(started);
    const endMs = ended === null ? nowMs : Date.parse(ended);
    const length = `${ended === null ? 'going on for' : 'for'} ${durationText(endMs - startMs)}`;
    return { startMs, endMs, text: `Incident from ${momentText(startMs, nowMs)}, ${length}: ${failureReason}` };
  });
}

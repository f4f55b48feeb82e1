import type { Availability } from '@watchpost/control-plane/capabilities/figures/reading/results-schemas';
import type { IncidentSummary } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { now } from '../../data/clock.js';
import { incidentSpans } from '../../data/incident-spans.js';
import { useMarks } from '../../data/marks.js';
import { useResource } from '../../data/resources.js';
import { momentText } from '../../parts/format.js';
import type { MarkedSpan } from '../../parts/time-axis.js';
import type { Range } from './range.js';

const STEP_MS = 300_000;
/** The newest are marked. */
const MOST = 100;

/** Reads what happened in a range: incidents of the monitor, its maintenance, and the marks that concern it. */
export function useAnnotations({ id, tags }: MonitorView, range: Range): MarkedSpan[] {
  // In whole steps, so that the address stays the same for a while.
  const start = new Date(Math.floor(range.startMs / STEP_MS) * STEP_MS).toISOString();
  const { endDate } = range.query;
  const path = `/api/v1/monitor/${id}`;
  const incidents = useResource<IncidentSummary[]>(`${path}/incident`, {
    endedAfter: start,
    endDate,
    pageSize: MOST,
  });
  const availability = useResource<Availability>(`${path}/availability`, range.query);
  const marks = useMarks(tags, { startDate: start, endDate });
  const nowMs = now.value;
  return [
    ...incidentSpans(incidents.data ?? [], nowMs),
    ...(availability.data?.timeline ?? []).flatMap(({ status, ...span }): MarkedSpan[] => {
      if (status !== 'maintenance') return [];
      const [startMs, endMs] = [Date.parse(span.start), Date.parse(span.end)];
      const text = `Maintenance from ${momentText(startMs, nowMs)} to ${momentText(endMs, nowMs)}`;
      return [{ kind: 'maintenance', startMs, endMs, text }];
    }),
    ...marks,
  ];
}

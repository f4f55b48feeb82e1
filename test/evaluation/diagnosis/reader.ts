import type { Diagnosis } from '@watchpost/control-plane/capabilities/diagnosis/diagnosis-schemas';
import { HOUR_MS } from '@watchpost/shared/time';

/** Calls a tool of the MCP server and returns its structured result. */
export type CallTool = <Result>(name: string, args: object) => Promise<Result>;

/** The cause that a reader found, and the incident that it belongs to. */
export interface Finding {
  cause: Diagnosis['verdict']['cause'];
  incidentId: string;
  confidence: Diagnosis['confidence'];
  calls: number;
}

interface Change {
  target: { type: string; id: string | null };
}

/** A change of settings can take this long to have an effect. */
const SUSPECT_MS = 2 * HOUR_MS;

/**
 * Reads a diagnosis by the rules of docs/guides/connect-assistants.md and with at most two calls. No model is asked, so that the
 * same answers always lead to the same finding. It knows nothing but the documented fields.
 */
export async function findCause(call: CallTool, incidentId: string, monitorId: string): Promise<Finding> {
  const first = await call<Diagnosis>('diagnose_incident', { incidentId });
  const own = findingOf(first, 1);
  // A suggestion names the field to follow.
  if (first.suggestions.some((one) => one.includes('`dependsOn`'))) {
    const behind = first.dependsOn.find((one) => one.incidentId !== null);
    if (!behind) return own;
    return findingOf(await call<Diagnosis>('diagnose_incident', { incidentId: behind.incidentId }), 2);
  }
  if (first.confidence !== 'low') return own;
  // The incident alone does not show the cause: a person who changed the monitor may.
  const sinceMs = Date.parse(first.since);
  const range = { startDate: new Date(sinceMs - SUSPECT_MS).toISOString(), endDate: first.since };
  const { items } = await call<{ items: Change[] }>('list_changes', range);
  const wasChanged = items.some(({ target }) => target.type === 'monitor' && target.id === monitorId);
  return wasChanged ? { ...own, cause: 'settings_changed', calls: 2 } : { ...own, calls: 2 };
}

function findingOf({ incidentId, verdict: { cause }, confidence }: Diagnosis, calls: number): Finding {
  return { cause, incidentId, confidence, calls };
}

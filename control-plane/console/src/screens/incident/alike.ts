import { groupBy } from '@watchpost/shared/group-by';
import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';

/** Regions that saw the same. */
export interface Alike {
  /** The first one of them speaks for all. */
  names: string[];
  failures: readonly IncidentEvidence['failures'][number][];
}

/** The regions of an incident, those together of which verdict and answers differ in nothing but times and addresses. */
export function groupAlike({ regions, failures }: Pick<IncidentEvidence, 'regions' | 'failures'>): Alike[] {
  const names = [...new Set([...regions, ...failures].map(({ region }) => region))];
  const ownOf = (name: string) => failures.filter(({ region }) => region === name);
  const keyOf = (name: string) => {
    const verdict = regions.find(({ region }) => region === name);
    const answers = ownOf(name).map(({ message, summary, statusCode, evidence }) => [
      message,
      summary,
      statusCode,
      evidence?.bodyStart,
      evidence?.assertions,
    ]);
    return JSON.stringify([verdict?.verdict, verdict?.note, answers]);
  };
  return [...groupBy(names, keyOf).values()].map((all) => ({ names: all, failures: ownOf(all[0]!) }));
}

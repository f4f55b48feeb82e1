import { REGIONS } from '@watchpost/shared/region';
import type { Actor } from '../../../platform/identity/caller.js';
import type { IncidentEvidence } from '../incident-evidence-schemas.js';
import { type IncidentDeps, readIncident } from '../read-incidents.js';
import { evidenceDocumentStore } from './evidence-document-store.js';
import { createPresenter } from './presenter.js';
import { readEvidence } from './read-evidence.js';
import { endOfIncident, isOver, regionsOf } from './read-evidence-document.js';
import { describeTimeline } from './timeline-section.js';
import { failureWords, troubleWords } from './words.js';

const PLACES = Object.fromEntries(REGIONS.map(({ name, location }) => [name, location]));

/** The evidence of an incident as its document shows it, for members of the workspace: with all names. @throws Fault not_found */
export async function readIncidentEvidence(
  deps: IncidentDeps,
  actor: Actor,
  incidentId: string,
): Promise<IncidentEvidence> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  return deps.db.read(async (tx) => {
    const incident = await readIncident(deps, tx, workspaceId, incidentId);
    const evidence = readEvidence(incident.context);
    const subject = await evidenceDocumentStore.subject(tx, incidentId);
    const people = await evidenceDocumentStore.people(workspaceId, tx, incidentId);
    const names = new Map(people.map(({ userId, name, email }) => [userId, name ?? email]));
    const words = troubleWords(incident);
    const shown = createPresenter([], 'UTC', endOfIncident(incident, nowMs));
    const timeline = describeTimeline(incident.timeline, {
      shown,
      nameOf: (userId) => (userId === null ? null : (names.get(userId) ?? null)),
    });
    return {
      incidentId,
      title: `${incident.monitorName} ${isOver(incident) ? words.was : words.is}`,
      kind: words.check,
      ...evidence,
      isOver: isOver(incident),
      places: PLACES,
      regions: (subject ? await regionsOf(tx, subject, incident, evidence, nowMs) : []).map(
        ({ lastMs, untilMs, ...region }) => ({
          ...region,
          failedUntil: untilMs === null ? null : new Date(untilMs).toISOString(),
          lastCheckedAt: lastMs === null ? null : new Date(lastMs).toISOString(),
        }),
      ),
      failures: evidence.failures
        .toSorted((a, b) => a.scheduledAt.localeCompare(b.scheduledAt))
        .map((failure) => ({ ...failure, summary: failureWords(failure.phase, failure.reason) })),
      dependents: incident.dependents.map(
        ({ monitorId, monitorName, failureReason, failed, ended, ownIncidentId }) => ({
          monitorId,
          name: monitorName,
          reason: failureReason,
          failed,
          ended,
          ownIncidentId,
        }),
      ),
      dependentCount: incident.dependentCount,
      timeline: timeline.map(({ at, type, words: sentence }) => ({ at, type, sentence })),
      people: [...names].map(([userId, name]) => ({ userId, name })),
    };
  });
}

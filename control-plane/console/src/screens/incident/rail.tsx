import type { ComponentChildren } from 'preact';
import type { Incident } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import type { IncidentNotifications, Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import type { AlertPreview } from '@watchpost/control-plane/capabilities/paging/preview/preview-schemas';
import { now } from '../../data/clock.js';
import { useResource } from '../../data/resources.js';
import { pathTo } from '../../data/session.js';
import { durationText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';
import { Facts } from '../../parts/section.js';
import { runningText } from './running-text.js';

/** Shows how long it has gone on, who has it, who is on call for it, and who is paged next. */
export function Rail({ incident, children }: { incident: Incident; children: ComponentChildren }) {
  const { id, started, ended, acknowledged, isClosed } = incident;
  const isOpen = ended === null && !isClosed;
  const endMs = ended === null ? now.value : Date.parse(ended);
  return (
    <section class="incident-rail card card-body lines gap-4" aria-label="The incident now">
      <div>
        <p class="soft small">{isOpen ? 'Goes on for' : 'Lasted'}</p>
        <p class="incident-clock tabular strong" role="timer">
          {runningText(endMs - Date.parse(started))}
        </p>
        <Time at={started} as="second" class="soft small" before="since " />
      </div>
      {children}
      {!isClosed && <Next id={id} isAcknowledged={acknowledged} />}
      {!isClosed && <OnCallNow monitorId={incident.monitorId} />}
    </section>
  );
}

function Next({ id, isAcknowledged }: { id: string; isAcknowledged: boolean }) {
  const at = useResource<IncidentNotifications>(`/api/v1/incident/${id}/notifications`).data?.nextEscalationAt ?? null;
  if (isAcknowledged) return <p class="soft">Nobody else is paged: it is acknowledged.</p>;
  if (at === null) return <p class="soft">Nobody else will be paged.</p>;
  const waitMs = Date.parse(at) - now.value;
  return (
    <p>
      {waitMs > 0
        ? `The next person is paged in ${durationText(waitMs)}, unless somebody acknowledges.`
        : 'The next person is being paged.'}
    </p>
  );
}

function OnCallNow({ monitorId }: { monitorId: string }) {
  const preview = useResource<Pick<AlertPreview, 'teams'>>(`/api/v1/monitor/${monitorId}/alert-preview`);
  const overview = useResource<Pick<Overview, 'onCall'>>('/api/v1/overview');
  const teams = preview.data?.teams ?? [];
  const duties = overview.data?.onCall.filter(({ teamId }) => teams.some((team) => team.teamId === teamId)) ?? [];
  if (duties.length === 0) return null;
  return (
    <Facts
      facts={duties.map(({ teamId, teamName, now: duty }) => [
        <a key={teamId} href={pathTo('/on-call', { tab: 'teams', team: teamId })}>
          {teamName}
        </a>,
        duty === null ? (
          <span class="state-unavailable">Nobody is on call</span>
        ) : (
          <>
            {duty.name ?? 'somebody without a name'}
            {duty.until && <Time at={duty.until} as="moment" class="soft small block" before="on call until " />}
          </>
        ),
      ])}
    />
  );
}

import { INCIDENT_WORDS } from '@watchpost/shared/incident-types';
import { NotThere, useKeys, Screen } from '../../frame/screen.js';
import { show, ask } from '../../parts/dialog.js';
import type { IncidentEvidence } from '@watchpost/control-plane/capabilities/incidents/incident-evidence-schemas';
import type { Incident } from '@watchpost/control-plane/capabilities/incidents/incident-schemas';
import { acknowledge } from '../../frame/acting.js';
import { change, useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Chips, Facts } from '../../parts/section.js';
import { incidentState } from '../../parts/state.js';
import { StateMark, Time } from '../../parts/marks.js';
import { DayAround } from './day-section.js';
import { Evidence } from './evidence.js';
import { Notes } from './notes.js';
import { Notified } from './notified.js';
import { Rail } from './rail.js';
import { ShareDialog } from './share-dialog.js';

/** One incident: what is wrong, who knows, what was seen, and what was done. */
export function IncidentScreen({ params }: { params: Record<string, string> }) {
  const id = params['id'] ?? '';
  const path = `/api/v1/incident/${id}`;
  const read = useResource<Incident>(path);
  const evidence = useResource<IncidentEvidence>(`${path}/evidence`);
  const incident = read.data;
  const canAct = incident !== undefined && !incident.isClosed && hasRole('Responder');
  useKeys([
    {
      key: 'a',
      label: 'Acknowledge the incident',
      run: () => {
        if (canAct && !incident.acknowledged) void acknowledge(incident);
      },
    },
  ]);

  if (incident === undefined || evidence.data === undefined) {
    return (
      <NotThere
        title="Incident"
        of={incident === undefined ? read : evidence}
        rows={10}
        kind="incident"
        all={pathTo('/incidents')}
        why="It may have been deleted with its monitor."
      />
    );
  }
  const { title, people } = evidence.data;
  const nameOf = (userId: string | null) =>
    people.find((each) => each.userId === userId)?.name ?? 'a member of the workspace';
  const close = () =>
    ask({
      title: `Close the incident of ${incident.monitorName}?`,
      action: 'Close incident',
      isDanger: false,
      consequences: [
        'It is closed for good: it takes no more notes and cannot be opened again.',
        incident.ended === null
          ? 'The monitor still fails. If it goes on failing, a new incident opens and people are notified again.'
          : 'The monitor has recovered.',
        'Nobody else is paged for it. Those who were notified get a message that it is closed.',
      ],
      onConfirm: async () => {
        await change('PATCH', path, { body: { status: 'Resolved' } });
        toast(`Closed: ${incident.monitorName}`);
      },
    });
  return (
    <Screen
      title={title}
      receivedMs={read.receivedMs}
      actions={
        <>
          <Button text="Diagnose" icon="search" href={pathTo(`/incidents/${id}/diagnosis`)} />
          {hasRole('Responder') && (
            <Button text="Share" icon="link" onClick={() => show(<ShareDialog incidentId={id} />)} />
          )}
          {canAct && <Button text="Close incident" onClick={close} />}
          {canAct && incident.acknowledged && (
            <Button text="Unacknowledge" onClick={() => void acknowledge(incident, false)} />
          )}
        </>
      }
      lead={<StateSentence incident={incident} timeline={evidence.data.timeline} nameOf={nameOf} />}
    >
      <div class="incident-story gap-5">
        <Rail incident={incident}>
          {canAct && !incident.acknowledged && (
            <span class="in-reach lines">
              <Button text="Acknowledge" look="primary" icon="check" onClick={() => void acknowledge(incident)} />
            </span>
          )}
        </Rail>
        <div>
          <Glance incident={incident} evidence={evidence.data} />
          <Notified incident={incident} />
        </div>
      </div>
      <Evidence evidence={evidence.data} monitorId={incident.monitorId} />
      <div class="beside section gap-6" style={{ '--least': '24rem' }}>
        <Timeline timeline={evidence.data.timeline} />
        <Notes incident={incident} nameOf={nameOf} />
      </div>
      <DayAround incident={incident} places={evidence.data.places} />
    </Screen>
  );
}

function StateSentence(props: {
  incident: Incident;
  timeline: IncidentEvidence['timeline'];
  nameOf: (userId: string | null) => string;
}) {
  const { incident, timeline, nameOf } = props;
  const { ended, isClosed, acknowledged, acknowledgedBy, acknowledgedAt } = incident;
  return (
    <p class="row">
      <StateMark {...incidentState(incident)} />
      <span>
        {isClosed && timeline.findLast(({ type }) => type === 'closed')?.sentence}
        {!isClosed && ended !== null && 'Waiting to be closed'}
      </span>
      {acknowledged ? (
        <span class="soft">
          {acknowledgedBy === null
            ? timeline.findLast(({ type }) => type === 'acknowledged')?.sentence
            : `Acknowledged by ${nameOf(acknowledgedBy)}`}{' '}
          {acknowledgedAt !== null && <Time at={acknowledgedAt} />}
        </span>
      ) : (
        !isClosed && <strong class="state-unavailable">Nobody has acknowledged it.</strong>
      )}
    </p>
  );
}

function Glance({ incident, evidence }: { incident: Incident; evidence: IncidentEvidence }) {
  const { failureReason, monitorId, monitorName, incidentType, started, ended, regions } = incident;
  const { places } = evidence;
  const placesOf = (names: readonly string[]) => names.map((region) => places[region] ?? region);
  const causes = causesOf(evidence, regions);
  return (
    <section class="card card-body lines gap-4" aria-label="At a glance">
      {causes.length < 2 ? (
        <p class="text-m strong pretty">{failureReason}</p>
      ) : (
        <ul class="list lines gap-1" aria-label="Causes">
          {causes.map(({ cause, names }) => (
            <li key={cause} class="pretty">
              <strong>{placesOf(names).join(', ')}:</strong> {cause}
            </li>
          ))}
        </ul>
      )}
      <Facts
        look="row"
        facts={[
          [
            'Monitor',
            <a key="monitor" href={pathTo(`/monitors/${monitorId}`)}>
              {monitorName}
            </a>,
          ],
          ['Kind', INCIDENT_WORDS[incidentType].label],
          ['Started', <Time key="started" at={started} as="moment" />],
          ['Ended', ended && <Time key="ended" at={ended} as="moment" />],
          regions.length > 0 && [
            ended === null ? 'Failing in' : 'Failed last in',
            <Chips key="regions" values={placesOf(regions)} />,
          ],
          [
            'Others',
            <a key="others" href={pathTo('/incidents', { show: 'all', monitorId })}>
              Incidents of this monitor
            </a>,
          ],
        ]}
      />
    </section>
  );
}

/** The failures of these regions, the newest of each; those that fail alike together. */
function causesOf({ failures }: IncidentEvidence, regions: readonly string[]): { cause: string; names: string[] }[] {
  const byCause = new Map<string, string[]>();
  for (const name of regions) {
    const cause = failures.findLast(({ region }) => region === name)?.message;
    if (cause) byCause.set(cause, [...(byCause.get(cause) ?? []), name]);
  }
  return [...byCause].map(([cause, names]) => ({ cause, names }));
}

function Timeline({ timeline }: { timeline: IncidentEvidence['timeline'] }) {
  return (
    <section aria-labelledby="timeline">
      <h2 id="timeline" class="below-3">
        Timeline
      </h2>
      <ol class="list incident-events">
        {timeline.map(({ at, type, sentence }, index) => (
          <li key={`${at} ${index}`} class={`incident-event incident-event-${type}`}>
            <Time at={at} as="second" />
            <span>{sentence}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}

import { INCIDENT_WORDS } from '@watchpost/shared/incident-types';
import { acknowledge } from '../../frame/acting.js';
import { now } from '../../data/clock.js';
import type { Attention } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { hasRole, pathTo } from '../../data/session.js';
import { useKeys } from '../../frame/screen.js';
import { Button } from '../../parts/button.js';
import { durationText } from '../../parts/format.js';
import { incidentState } from '../../parts/state.js';
import { Section } from '../../parts/section.js';
import { StateMark, Duration, Time } from '../../parts/marks.js';

/** The open incidents, with who knows of them. Shows nothing where there are none. */
export function AttentionList({ items, total }: { items: readonly Attention[]; total: number }) {
  const acknowledgeRow = (id: string | undefined) => {
    const item = items.find(({ incident }) => incident.id === id);
    if (item === undefined || item.incident.acknowledged || !hasRole('Responder')) return;
    void acknowledge(item.incident);
  };
  useKeys([{ key: 'a', label: 'Acknowledge the incident', run: acknowledgeRow }]);
  if (items.length === 0) return null;
  return (
    <Section
      look="plain"
      title="Needs attention"
      aside={total > items.length && <a href={pathTo('/incidents')}>All {total} open incidents</a>}
    >
      <ul class="list divided card">
        {items.map((item) => (
          <Item key={item.incident.id} item={item} onAcknowledge={() => acknowledgeRow(item.incident.id)} />
        ))}
      </ul>
    </Section>
  );
}

function Item({ item, onAcknowledge }: { item: Attention; onAcknowledge: () => void }) {
  const { incident, regionsFailing, regionsReporting } = item;
  const href = pathTo(`/incidents/${incident.id}`);
  return (
    <li class="wrap center between gap-3-5 pad-3-4" data-row={incident.id}>
      <div class="attention-main">
        <div class="row">
          <StateMark {...incidentState(incident)} />
          <a class="row-link" data-row-link href={href}>
            {incident.monitorName}
          </a>
          {incident.incidentType !== 'Availability' && (
            <span class="chip">{INCIDENT_WORDS[incident.incidentType].label}</span>
          )}
          <Duration from={incident.started} to={incident.ended} class="soft" before="for " />
          {regionsReporting > 0 && (
            <span class="soft num">
              {regionsFailing} of {regionsReporting} {regionsReporting === 1 ? 'region' : 'regions'}
            </span>
          )}
        </div>
        <p>{incident.failureReason}</p>
        <p class="soft small">
          <Knowledge item={item} />
        </p>
      </div>
      <div class="row attention-actions">
        {!incident.acknowledged && hasRole('Responder') && (
          <Button text="Acknowledge" look="primary" onClick={onAcknowledge} />
        )}
        <Button text="Evidence" href={href} />
      </div>
    </li>
  );
}

/** Who knows of it, and who will be paged next. */
function Knowledge({ item }: { item: Attention }) {
  const { incident, notified, groupsNotified, failedDeliveries, nextEscalationAt, acknowledgement } = item;
  const names = [
    ...notified.map(({ name }) => name ?? 'somebody without a name'),
    ...groupsNotified.map(({ name }) => name),
  ];
  const waitMs = nextEscalationAt === null ? 0 : Date.parse(nextEscalationAt) - now.value;
  return (
    <>
      {incident.acknowledged ? (
        <>
          Acknowledged by {acknowledgement?.name ?? 'somebody'}
          {acknowledgement?.at && <Time at={acknowledgement.at} before=" " />}.
        </>
      ) : names.length > 0 ? (
        <>Notified: {names.join(', ')}.</>
      ) : (
        <strong class="state-unavailable">Nobody has been notified.</strong>
      )}
      {!incident.acknowledged && nextEscalationAt !== null && (
        <> {waitMs > 0 ? `The next person is paged in ${durationText(waitMs)}.` : 'The next person is being paged.'}</>
      )}
      {failedDeliveries > 0 && (
        <>
          {' '}
          <strong class="state-unavailable">
            {failedDeliveries} {failedDeliveries === 1 ? 'message' : 'messages'} could not be delivered.
          </strong>
        </>
      )}
    </>
  );
}

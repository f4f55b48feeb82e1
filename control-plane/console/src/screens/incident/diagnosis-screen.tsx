import { useSignal } from '@preact/signals';
import type { Diagnosis } from '@watchpost/control-plane/capabilities/diagnosis/diagnosis-schemas';
import type { ComponentChildren } from 'preact';
import { request } from '../../data/api.js';
import { useResource } from '../../data/resources.js';
import { hasRole, pathTo } from '../../data/session.js';
import { NotThere, Screen } from '../../frame/screen.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { Time } from '../../parts/marks.js';
import { Facts, Section } from '../../parts/section.js';

/** What the first minutes of an incident need, as an assistant gets it. */
export function DiagnosisScreen({ params }: { params: Record<string, string> }) {
  const id = params['id'] ?? '';
  const path = `/api/v1/incident/${id}/diagnosis`;
  const read = useResource<Diagnosis>(path);
  // Made once, when it is asked for: what is shown is read again from time to time.
  const checked = useSignal<Diagnosis | undefined>(undefined);
  const isChecking = useSignal(false);
  if (read.data === undefined)
    return <NotThere title="Diagnosis" of={read} rows={10} kind="incident" all={pathTo('/incidents')} />;
  const check = async () => {
    isChecking.value = true;
    try {
      checked.value = (await request<Diagnosis>('GET', path, { query: { recheck: true } })).body;
    } catch (error) {
      toast(error instanceof Error ? error.message : 'It could not be checked.');
    } finally {
      isChecking.value = false;
    }
  };
  const shown = checked.value ?? read.data;
  const { verdict, confidence, since, where, people } = shown;
  return (
    <Screen
      title="Diagnosis"
      receivedMs={read.receivedMs}
      actions={
        <>
          <Button text="The incident" href={pathTo(`/incidents/${id}`)} />
          {hasRole('Responder') && (
            <Button text="Check now" look="primary" isBusy={isChecking.value} onClick={() => void check()} />
          )}
        </>
      }
      lead={<p>{verdict.sentence}</p>}
    >
      <section class="card card-body lines gap-4" aria-label="At a glance">
        <Facts
          look="row"
          facts={[
            ['How sure', confidence],
            ['Since', <Time key="since" at={since} as="moment" />],
            ['Failing in', where.failing.join(', ')],
            ['Fine in', where.fine.join(', ')],
            ['On call', people.onCall.map(({ team, person }) => `${person ?? 'nobody'} (${team})`).join(', ')],
            ['Reached', people.reached.join(', ')],
          ]}
        />
      </section>
      <List title="What to do next" items={shown.suggestions} />
      <List
        title="Checked now"
        items={shown.recheck.map(
          ({ place, outcome, message, responseTime }) =>
            `${place}: ${outcome} after ${Math.round(responseTime)} ms. ${message ?? ''}`,
        )}
      />
      <List
        title="What changed before"
        items={shown.changedBefore.map(({ at, what, detail }) => (
          <>
            <Time at={at} as="moment" /> {what}: {detail}
          </>
        ))}
      />
      <List title="What it depends on" items={shown.dependsOn.map(otherLine)} />
      <List title="What has something in common" items={shown.siblings.map(otherLine)} />
      <List
        title="Earlier incidents like it"
        items={shown.similar.map(({ incidentId, when, cause, note }) => (
          <>
            <a href={pathTo(`/incidents/${incidentId}`)}>{cause}</a> <Time at={when} as="moment" /> {note}
          </>
        ))}
      />
      <List title="What could not be had" items={shown.missing.map(({ part, why }) => `${part}: ${why}`)} />
    </Screen>
  );
}

function otherLine({ monitorId, name, incidentId }: Diagnosis['dependsOn'][number]) {
  return (
    <>
      <a href={pathTo(`/monitors/${monitorId}`)}>{name}</a>{' '}
      {incidentId !== null && <a href={pathTo(`/incidents/${incidentId}`)}>has an incident</a>}
    </>
  );
}

function List({ title, items }: { title: string; items: readonly ComponentChildren[] }) {
  if (items.length === 0) return null;
  return (
    <Section title={title}>
      <ul class="list lines one-column gap-2">
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </Section>
  );
}

import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import type { ServiceGroupView } from '@watchpost/control-plane/capabilities/monitors/service-groups/service-group-schemas';
import type { OccurrenceView, WindowView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { type Query, WHOLE } from '../../data/address.js';
import { useResource } from '../../data/resources.js';
import { TagsInput, MonitorsInput } from '../../parts/pickers.js';
import { useLater } from '../../parts/use-later.js';
import { Segmented } from '../../parts/segmented.js';
import { Choices, named, DurationInput, textOf } from '../../parts/inputs.js';
import { Field, FieldGroup, Switch, ZoneField } from '../../parts/form.js';
import { Section } from '../../parts/section.js';
import type { FormModel } from '../../parts/use-form.js';
import { RepeatFields } from './repeat-fields.js';
import type { WindowValues } from './window-values.js';
import { Skeleton, Unread } from '../../parts/loaded.js';
import { Time, StateMark } from '../../parts/marks.js';
import { capitalized, untilText } from '../../parts/format.js';

/** What is planned, when, for which monitors, and who hears of it. */
export function WindowFields({ form }: { form: FormModel<WindowValues> }) {
  return (
    <>
      <section class="card card-body stack">
        <Field name="name" label="Name" placeholder="Deploys" />
        <Field name="description" label="Description" hint="Status pages show it." isLong />
      </section>
      <When form={form} />
      <Scope form={form} />
      <Effects form={form} />
    </>
  );
}

function When({ form }: { form: FormModel<WindowValues> }) {
  const { startsAt, timezone, duration, recurrence } = form.values.value;
  const query = useLater(JSON.stringify({ startsAt, timezone, duration, recurrence }));
  const coming = useResource<OccurrenceView[]>('/api/v1/maintenance-preview', JSON.parse(query) as Query);
  return (
    <Section look="card" title="When">
      <div class="beside">
        <Field name="startsAt" label="Starts" type="datetime-local" />
        <ZoneField name="timezone" hint="It keeps this local time when the clocks change." />
        <Field name="duration" label="Duration">
          {(control) => <DurationInput control={control} />}
        </Field>
      </div>
      <RepeatFields startsAt={startsAt} rule={recurrence} onChange={(rule) => form.set('recurrence', rule)} />
      <div class={recurrence === null ? undefined : 'tall-8.5'} role="status" aria-label="Next occurrences">
        {coming.fault === undefined ? (
          <Occurrences of={coming.data} />
        ) : (
          <p class="state-partial">{coming.fault.fields}</p>
        )}
      </div>
    </Section>
  );
}

function Scope({ form }: { form: FormModel<WindowValues> }) {
  const { scope } = form.values.value;
  const groups = useResource<ServiceGroupView[]>('/api/v1/service-group', WHOLE);
  return (
    <Section look="card" title="Which monitors">
      <FieldGroup name="scope" label="Applies to">
        <Switch name="scope.all" label="All monitors" />
      </FieldGroup>
      {!scope.all && (
        <>
          <Field name="scope.tags" label="Tags">
            {(control) => <TagsInput control={control} placeholder="team:web" />}
          </Field>
          <Field name="scope.monitorIds" label="Monitors">
            {(control) => <MonitorsInput control={control} />}
          </Field>
          <Unread needs={[groups]} />
          {groups.data !== undefined && groups.data.length > 0 && (
            <Choices
              label="Service groups"
              options={named(groups.data)}
              values={scope.serviceGroupIds}
              onChange={(ids) => form.set('scope.serviceGroupIds', ids)}
            />
          )}
        </>
      )}
    </Section>
  );
}

function Effects({ form }: { form: FormModel<WindowValues> }) {
  const { statusPageIds } = form.values.value;
  const pages = useResource<StatusPageView[]>('/api/v1/status-page', WHOLE);
  return (
    <Section look="card" title="During the window">
      <Field name="checks" label="Checks" hint="No incident opens and nobody is notified, either way.">
        {({ label, value, set }) => (
          <Segmented
            label={label}
            options={[
              { value: 'run', label: 'Keep checking' },
              { value: 'pause', label: 'Pause' },
            ]}
            value={textOf(value)}
            onChange={set}
          />
        )}
      </Field>
      <Unread needs={[pages]} />
      {pages.data !== undefined && pages.data.length > 0 && (
        <Choices
          label="Status pages that announce it"
          options={named(pages.data)}
          values={statusPageIds}
          onChange={(ids) => form.set('statusPageIds', ids)}
        />
      )}
      {statusPageIds.length > 0 && <Switch name="notifySubscribers" label="Notify their subscribers" />}
    </Section>
  );
}

const SHOWN = 5;

/** The next occurrences, in the zone of the viewer. */
export function Occurrences({ of }: { of: readonly OccurrenceView[] | undefined }) {
  if (of === undefined) return <Skeleton rows={1} />;
  if (of.length === 0) return <p class="soft">No occurrence is left.</p>;
  return (
    <>
      <p class="soft small">{of.length === 1 ? 'Once' : 'Next'}, in your time zone:</p>
      <ol class="list window-occurrences num">
        {of.slice(0, SHOWN).map(({ start, end }) => (
          <li key={start}>
            <Time at={start} as="moment" /> – <Time at={end} as="moment" />
          </li>
        ))}
      </ol>
    </>
  );
}

/** Shows whether a window is under way, and until when. */
export function WindowState({ window: { state, activeUntil } }: { window: WindowView }) {
  if (activeUntil === null) return <span class="soft">{capitalized(state)}</span>;
  return <StateMark state="maintenance" word={`Active ${untilText(activeUntil)}`} />;
}

import type { OccurrenceView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import type { Query } from '../../data/query-text.js';
import { useResource } from '../../data/use-resource.js';
import { ChipsInput } from '../../parts/chips.js';
import { Choices, Select, Toggle } from '../../parts/choices.js';
import { DurationInput } from '../../parts/duration-input.js';
import { Field, FieldGroup } from '../../parts/form.js';
import { MonitorsInput } from '../../parts/monitors-input.js';
import { TimeZoneInput } from '../../parts/time-zone-input.js';
import type { FormModel } from '../../parts/use-form.js';
import { useLater } from '../../parts/use-later.js';
import { Occurrences } from './occurrences.js';
import { RepeatFields } from './repeat-fields.js';
import type { WindowValues } from './window-values.js';

interface Named {
  id: string;
  name: string;
}

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
    <section class="card card-body stack" aria-labelledby="when">
      <h2 id="when">When</h2>
      <div class="window-fields">
        <Field name="startsAt" label="Starts" type="datetime-local" />
        <Field name="timezone" label="Time zone" hint="It keeps this local time when the clocks change.">
          {(control) => <TimeZoneInput control={control} />}
        </Field>
        <Field name="duration" label="Duration">
          {({ id, set, describedBy, isInvalid }) => (
            <DurationInput
              id={id}
              label="Duration"
              value={duration}
              onChange={set}
              describedBy={describedBy}
              isInvalid={isInvalid}
            />
          )}
        </Field>
      </div>
      <RepeatFields startsAt={startsAt} rule={recurrence} onChange={(rule) => form.set('recurrence', rule)} />
      <div class="window-coming" role="status" aria-label="Next occurrences">
        {coming.fault === undefined ? (
          <Occurrences of={coming.data} />
        ) : (
          <p class="state-partial">
            {coming.fault.details.map(({ path, message }) => `${path} ${message}`).join('. ') || coming.fault.message}
          </p>
        )}
      </div>
    </section>
  );
}

function Scope({ form }: { form: FormModel<WindowValues> }) {
  const { scope } = form.values.value;
  const groups = useResource<Named[]>('/api/v1/service-group', { pageSize: 200 });
  const tags = useResource<{ tag: string }[]>('/api/v1/tags', { pageSize: 100 });
  return (
    <section class="card card-body stack" aria-labelledby="scope">
      <h2 id="scope">Which monitors</h2>
      <FieldGroup name="scope" label="Covered is what any of these names">
        <Toggle label="All monitors" isOn={scope.all} onChange={(isOn) => form.set('scope.all', isOn)} />
      </FieldGroup>
      {!scope.all && (
        <>
          <Field name="scope.tags" label="Tags">
            {({ id, set, describedBy }) => (
              <ChipsInput
                id={id}
                label="Tags"
                values={scope.tags}
                onChange={set}
                known={tags.data?.map(({ tag }) => tag) ?? []}
                placeholder="team:web"
                describedBy={describedBy}
              />
            )}
          </Field>
          <Field name="scope.monitorIds" label="Monitors">
            {({ id, set, describedBy }) => (
              <MonitorsInput id={id} values={scope.monitorIds} onChange={set} describedBy={describedBy} />
            )}
          </Field>
          {groups.data !== undefined && groups.data.length > 0 && (
            <Choices
              label="Service groups"
              options={groups.data.map(({ id, name }) => ({ value: id, label: name }))}
              values={scope.serviceGroupIds}
              onChange={(ids) => form.set('scope.serviceGroupIds', ids)}
            />
          )}
        </>
      )}
    </section>
  );
}

function Effects({ form }: { form: FormModel<WindowValues> }) {
  const { statusPageIds, notifySubscribers } = form.values.value;
  const pages = useResource<Named[]>('/api/v1/status-page', { pageSize: 100 });
  return (
    <section class="card card-body stack" aria-labelledby="effects">
      <h2 id="effects">Meanwhile</h2>
      <Field name="checks" label="Checks" hint="No incident opens and nobody is notified, either way.">
        {(control) => (
          <Select
            control={control}
            options={[
              { value: 'run', label: 'Keep checking' },
              { value: 'pause', label: 'Pause' },
            ]}
          />
        )}
      </Field>
      {pages.data !== undefined && pages.data.length > 0 && (
        <Choices
          label="Status pages that announce it"
          options={pages.data.map(({ id, name }) => ({ value: id, label: name }))}
          values={statusPageIds}
          onChange={(ids) => form.set('statusPageIds', ids)}
        />
      )}
      {statusPageIds.length > 0 && (
        <Toggle
          label="Notify their subscribers"
          isOn={notifySubscribers}
          onChange={(isOn) => form.set('notifySubscribers', isOn)}
        />
      )}
    </section>
  );
}

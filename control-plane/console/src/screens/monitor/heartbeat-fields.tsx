import { Select, Toggle, DurationInput } from '../../parts/inputs.js';
import type { Query } from '../../data/address.js';
import { useResource } from '../../data/resources.js';
import { Field, OWN_ZONE, ZoneField } from '../../parts/form.js';
import { Skeleton } from '../../parts/loaded.js';
import { Time } from '../../parts/marks.js';
import type { FormModel } from '../../parts/use-form.js';
import { useLater } from '../../parts/pickers.js';
import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';

/** When the job reports, and how late it may be. */
export function HeartbeatFields({ form }: { form: FormModel<MonitorValues> }) {
  const { heartbeat } = form.values.value;
  if (heartbeat === null) return null;
  const isCron = heartbeat.cron !== null;
  const put = (change: Partial<typeof heartbeat>) => form.set('heartbeat', { ...heartbeat, ...change });
  return (
    <>
      <div class="beside">
        <Field name="heartbeat.rhythm" label="The job runs">
          {(control) => (
            <Select
              control={{
                ...control,
                value: isCron ? 'cron' : 'every',
                set: (value) =>
                  put(
                    value === 'cron'
                      ? { every: null, cron: '30 2 * * *', timezone: OWN_ZONE }
                      : { every: 'PT1H', cron: null, timezone: null },
                  ),
              }}
              options={[
                { value: 'every', label: 'again and again, after a time' },
                { value: 'cron', label: 'by a cron expression' },
              ]}
            />
          )}
        </Field>
        {isCron ? (
          <>
            <Field name="heartbeat.cron" label="Cron" hint="Five fields: minute, hour, day, month, weekday" />
            <ZoneField name="heartbeat.timezone" />
          </>
        ) : (
          <Length name="every" label="Every" hint="After the former report the next is due" />
        )}
      </div>
      {isCron && <DueTimes cron={heartbeat.cron!} timezone={heartbeat.timezone} />}
      <div class="beside">
        <Length name="grace" label="Grace" hint="How late a report may be" />
        {heartbeat.maxRuntime !== null && (
          <Length name="maxRuntime" label="Longest run" hint="From /start to the end" />
        )}
      </div>
      <Toggle
        label="Limit how long a run may take"
        isOn={heartbeat.maxRuntime !== null}
        onChange={(isOn) => put({ maxRuntime: isOn ? 'PT1H' : null })}
      />
    </>
  );
}

/** The next due times by what is entered, or what is wrong with it. */
function DueTimes({ cron, timezone }: { cron: string; timezone: string | null }) {
  const query = useLater(JSON.stringify({ cron, timezone: timezone ?? undefined, count: 5 }));
  const { data, fault } = useResource<string[]>('/api/v1/heartbeat-preview', JSON.parse(query) as Query);
  return (
    <div role="status" aria-label="Next due times">
      {fault !== undefined ? (
        <p class="state-partial">{fault.fields}</p>
      ) : data === undefined ? (
        <Skeleton rows={1} />
      ) : (
        <>
          <p class="soft small">Next due, in your time zone:</p>
          <ol class="list monitor-due num">
            {data.map((at) => (
              <li key={at}>
                <Time at={at} as="moment" />
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function Length({ name, label, hint }: { name: 'every' | 'grace' | 'maxRuntime'; label: string; hint: string }) {
  return (
    <Field name={`heartbeat.${name}`} label={label} hint={hint}>
      {(control) => <DurationInput control={control} unset="PT1H" />}
    </Field>
  );
}

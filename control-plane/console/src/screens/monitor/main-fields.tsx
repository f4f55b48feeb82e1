import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';
import type { ServiceGroupView } from '@watchpost/control-plane/capabilities/monitors/service-groups/service-group-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import type { LocationView } from '@watchpost/control-plane/capabilities/locations/location-schemas';
import { useResource } from '../../data/resources.js';
import { TagsInput } from '../../parts/pickers.js';
import { useLater } from '../../parts/use-later.js';
import { Checks, named, Select, Toggle, DurationInput } from '../../parts/inputs.js';
import { Field, FieldGroup, OWN_ZONE, ZoneField } from '../../parts/form.js';
import type { FormModel } from '../../parts/use-form.js';
import { chosenTypes, intervalOptions, isChecked, isHeartbeat, TYPES } from './monitor-values.js';
import { planWith, regionsText } from './plan-texts.js';
import { type PlanView, useRegions } from './reading.js';
import { type Query, WHOLE } from '../../data/address.js';
import { Skeleton, Unread } from '../../parts/loaded.js';
import { Time } from '../../parts/marks.js';

interface FieldsProps {
  form: FormModel<MonitorValues>;
  plan: PlanView;
}

/** What is watched, how often, from where, and to what it belongs. */
export function MainFields({ form, plan }: FieldsProps) {
  const values = form.values.value;
  const teams = useResource<Team[]>('/api/v1/teams', WHOLE);
  const groups = useResource<ServiceGroupView[]>('/api/v1/service-group', WHOLE);
  const hasUrl = !isHeartbeat(values.monitorTypes);
  const hasChecks = isChecked(values.monitorTypes);
  return (
    <>
      <Field
        name="name"
        label="Name"
        placeholder={hasUrl ? 'e.g. Checkout (defaults to the host)' : 'Nightly backup'}
      />
      {hasUrl ? (
        <FieldGroup name="monitorTypes" label="What is watched">
          <div class="lines columns-14 gap-3-4">
            <Checks
              options={TYPES.map((type) => typeOption(type, values.monitorTypes, plan))}
              values={values.monitorTypes}
              onChange={(types) => form.set('monitorTypes', chosenTypes(types, values.monitorTypes))}
            />
          </div>
        </FieldGroup>
      ) : (
        <HeartbeatFields form={form} />
      )}
      <div class="beside">
        {hasChecks && (
          <Field
            name="checkInterval"
            label="Every"
            hint="In each region"
            options={intervalOptions(values.checkInterval)}
          />
        )}
        {!values.monitorTypes.some((type) => factsOf(type).isAlone) && (
          <Field
            name="serviceGroupId"
            label="Service group"
            hint="Pages the teams of this group. At most one monitor per type."
          >
            {(control) => (
              <Select isNullable control={control} options={[{ value: '', label: 'None' }, ...named(groups.data)]} />
            )}
          </Field>
        )}
        {values.serviceGroupId === null && (teams.data?.length ?? 0) > 0 && (
          <Field name="teamId" label="Team" hint="Is paged for it, without a service group.">
            {(control) => (
              <Select isNullable control={control} options={[{ value: '', label: 'None' }, ...named(teams.data)]} />
            )}
          </Field>
        )}
      </div>
      <Unread needs={[groups, teams]} />
      {hasChecks && <Regions form={form} plan={plan} />}
      {hasChecks && <Locations form={form} />}
      <Field name="tags" label="Tags" hint="Use tags to filter, group and change monitors in bulk.">
        {(control) => <TagsInput control={control} placeholder="team:web, env:prod" />}
      </Field>
    </>
  );
}

function typeOption(value: MonitorType, chosen: readonly MonitorType[], plan: PlanView) {
  const { label, hint } = factsOf(value);
  const isCovered = plan.types.includes(value);
  const from = planWith(plan.products, ({ features }) => features.monitorTypes.includes(value));
  return {
    value,
    isOff: !isCovered,
    disabled: !isCovered && !chosen.includes(value),
    label: (
      <>
        {label}
        <span class="field-hint">{isCovered || from === undefined ? hint : `${from} plan and up`}</span>
      </>
    ),
  };
}

function Regions({ form, plan }: FieldsProps) {
  const { enabledRegions, homeRegion, privateLocations } = form.values.value;
  const [home, ...extra] = useRegions().data ?? [];
  const isFull = plan.extraRegions !== null && enabledRegions.length >= plan.extraRegions;
  // Where the plan has no further region, its text is enough.
  const shown = plan.extraRegions === 0 ? extra.filter(({ region }) => isIn(enabledRegions, region)) : extra;
  const text = regionsText(plan.products, plan.name, plan.extraRegions);
  return (
    <FieldGroup name="enabledRegions" label="Regions" hint={text}>
      <div class="lines columns-14 gap-3-4">
        <label class="choice">
          <input
            type="checkbox"
            checked={homeRegion}
            disabled={privateLocations.length === 0}
            onChange={(event) => form.set('homeRegion', event.currentTarget.checked)}
          />
          <span>
            {home?.location ?? 'Home region'}
            <span class="field-hint">{privateLocations.length === 0 ? 'Home region (always on)' : 'Home region'}</span>
          </span>
        </label>
        <Checks
          options={shown.map(({ region, location, state }) => {
            const isOff = isFull && !isIn(enabledRegions, region);
            return {
              value: region,
              isOff,
              disabled: isOff,
              label: (
                <>
                  {location}
                  {state !== 'healthy' && (
                    <span class="field-hint">{state === 'silent' ? 'No agent online' : 'Suspect now'}</span>
                  )}
                </>
              ),
            };
          })}
          values={enabledRegions}
          onChange={(names) => form.set('enabledRegions', names)}
        />
      </div>
    </FieldGroup>
  );
}

/** Places of the workspace's own; nothing while it has none. */
function Locations({ form }: Pick<FieldsProps, 'form'>) {
  const { privateLocations } = form.values.value;
  const known = useResource<LocationView[]>('/api/v1/private-locations', WHOLE).data ?? [];
  if (known.length === 0 && privateLocations.length === 0) return null;
  const slugs = [...new Set([...known.map(({ slug }) => slug), ...privateLocations])];
  return (
    <FieldGroup name="privateLocations" label="Private locations" hint="The address must lie in the ranges of each.">
      <div class="lines columns-14 gap-3-4">
        <Checks
          options={slugs.map((value) => ({
            value,
            label: known.find(({ slug }) => slug === value)?.name ?? value,
          }))}
          values={privateLocations}
          onChange={(chosen) => {
            form.set('privateLocations', chosen);
            if (chosen.length === 0) form.set('homeRegion', true);
          }}
        />
      </div>
    </FieldGroup>
  );
}

function isIn(regions: readonly string[], name: string): boolean {
  return regions.includes(name);
}

function HeartbeatFields({ form }: { form: FormModel<MonitorValues> }) {
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
                { value: 'every', label: 'at an interval' },
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
          <Length name="every" label="Every" hint="Next report due after the last one" />
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

import { useState } from 'preact/hooks';
import type { TeamSchedule } from '@watchpost/control-plane/capabilities/on-call/schedule-schemas';
import type { Team } from '@watchpost/control-plane/capabilities/on-call/team-schemas';
import { dayOf } from '../../data/days.js';
import { AddButton, Button, Movers } from '../../parts/button.js';
import { DateInput } from '../../parts/date-input.js';
import { moved } from '../../parts/field-path.js';
import { Field, FieldGroup, ZoneField } from '../../parts/form.js';
import { Checks, type FieldControl } from '../../parts/inputs.js';
import { capitalized, countText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';
import { RemovableChip } from '../../parts/pickers.js';
import type { FormModel } from '../../parts/use-form.js';
import { AddSelect } from './add-select.js';
import { colouring, nameOf, optionsOf } from './people.js';
import { DAYS, type LayerValues, newLayer, type ScheduleValues } from './schedule-values.js';

const UNITS = ['hour', 'day', 'week'].map((value) => ({ value, label: `${value}s` }));
const WEEKDAYS = DAYS.map((value) => ({ value, label: capitalized(value) }));
const SHORT_DAYS = DAYS.map((value) => ({ value, name: capitalized(value), label: capitalized(value.slice(0, 2)) }));
const HOLIDAYS = [
  { value: 'ignore', label: 'as on other days' },
  { value: 'skip', label: 'not in force' },
  { value: 'only', label: 'in force only then' },
];
const WORKDAYS = DAYS.slice(0, 5);
const TIMES = {
  'Working hours': [{ days: WORKDAYS, start: '09:00', end: '17:00' }],
  Nights: [{ days: [...DAYS], start: '22:00', end: '06:00' }],
  Weekends: [{ days: DAYS.slice(5), start: '00:00', end: '00:00' }],
  'Outside working hours': [
    { days: WORKDAYS, start: '17:00', end: '09:00' },
    { days: DAYS.slice(5), start: '09:00', end: '09:00' },
  ],
} satisfies Record<string, LayerValues['restrictions']>;
const MOST_LAYERS = 8;

type Form = FormModel<ScheduleValues>;
type Calendar = TeamSchedule['holidayCalendar'];

/** A schedule: its name, zone and holidays, and its layers one above the other. */
export function ScheduleFields({ form, team, calendar }: { form: Form; team: Team; calendar: Calendar }) {
  const { layers, holidays, holidayCalendarUrl } = form.values.value;
  const people = team.members.map(({ userId }) => userId);
  const put = (next: LayerValues[]) => form.set('layers', next);
  const hasHolidays =
    holidays.length > 0 || holidayCalendarUrl !== '' || layers.some((layer) => layer.holidays !== 'ignore');
  return (
    <>
      <Field name="name" label="Name" />
      <ZoneField name="timezone" hint="Handoffs keep to its clocks, also when they change." />
      {layers.map((_, at) => (
        <LayerFields
          key={at}
          form={form}
          at={at}
          team={team}
          onMove={(by) => put(moved(layers, at, by))}
          onRemove={() => put(layers.toSpliced(at, 1))}
        />
      ))}
      <AddButton
        entry="layer"
        count={layers.length}
        most={MOST_LAYERS}
        whole="A schedule has"
        onClick={() => put([...layers, newLayer(layers.length, people)])}
      />
      {layers.length > 1 && (
        <p class="field-hint">Where several layers have somebody on call, the last of them counts.</p>
      )}
      {hasHolidays && (
        <>
          <Field
            name="holidayCalendarUrl"
            label="Calendar of holidays"
            type="url"
            placeholder="https://example.com/holidays.ics"
            hint="An iCalendar address, read every day. Empty: the days are entered here."
          />
          {holidayCalendarUrl === '' ? (
            <Field name="holidays" label="Holidays" hint="Days in the zone of the schedule.">
              {(control) => <DatesInput control={control} />}
            </Field>
          ) : (
            calendar && <CalendarState calendar={calendar} />
          )}
        </>
      )}
    </>
  );
}

/** The age of what was read from the saved calendar, and why it could not be read last. */
function CalendarState({ calendar: { fetchedAt, fault, days } }: { calendar: NonNullable<Calendar> }) {
  return (
    <p class={fault === null ? 'field-hint' : 'note note-partial'}>
      {countText(days.length, 'day', 'days')},{' '}
      {fetchedAt === null ? (
        'not read yet'
      ) : (
        <>
          read <Time at={fetchedAt} />
        </>
      )}
      .{fault !== null && ` At the last attempt it ${fault}.`}
    </p>
  );
}

interface LayerProps {
  form: Form;
  at: number;
  team: Team;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

function LayerFields({ form, at, team, onMove, onRemove }: LayerProps) {
  const { layers } = form.values.value;
  const layer = layers[at]!;
  const path = `layers.${at}`;
  return (
    <fieldset class="oncall-layer card card-body stack">
      <legend class="unseen">{layer.name}</legend>
      <div class="flex end gap-2">
        <div class="grow">
          <Field name={`${path}.name`} label="Layer" />
        </div>
        {layers.length > 1 && (
          <span class="flex">
            <Movers name={layer.name} isFirst={at === 0} isLast={at === layers.length - 1} onMove={onMove} />
            <Button look="plain" icon="trash" label={`Remove ${layer.name}`} onClick={onRemove} />
          </span>
        )}
      </div>
      <div class="lines fit-8 gap-3 top">
        <Field name={`${path}.rotation.every`} label="Shifts of" type="number" />
        <Field name={`${path}.rotation.unit`} label="Unit" options={UNITS} />
        <Field name={`${path}.rotation.handoffTime`} label="Handoff at" type="time" />
        {layer.rotation.unit === 'week' && (
          <Field name={`${path}.rotation.handoffDay`} label="Handoff on" options={WEEKDAYS} />
        )}
      </div>
      <Field name={`${path}.participants`} label="Order of turns">
        {({ set, attributes }) => (
          <Turns team={team} values={layer.participants} onChange={set} id={attributes.id} of={layer.name} />
        )}
      </Field>
      <Times form={form} path={`${path}.restrictions`} values={layer.restrictions} of={layer.name} />
      <div class="lines fit-13 gap-3 top">
        <Field
          name={`${path}.startDate`}
          label="First shift begins"
          type="date"
          hint="Empty: the first person takes over at once."
        />
        <Field name={`${path}.endDate`} label="Ends" type="date" hint="Empty: it goes on." />
        <Field name={`${path}.holidays`} label="On holidays" options={HOLIDAYS} />
      </div>
    </fieldset>
  );
}

/** The times at which a layer is in force. */
function Times(props: { form: Form; path: string; values: LayerValues['restrictions']; of: string }) {
  const { form, path, values, of } = props;
  const put = (next: LayerValues['restrictions']) => form.set(path, next);
  const time = (at: number, end: 'start' | 'end', label: string) => (
    <DateInput
      kind="time"
      aria-label={`${label} of time ${at + 1} of ${of}`}
      value={values[at]![end]}
      onChange={(text) => form.set(`${path}.${at}.${end}`, text)}
    />
  );
  return (
    <FieldGroup
      name={path}
      label="In force"
      hint={values.length > 0 ? 'An end that is not after the beginning is on the next day.' : undefined}
    >
      {values.map(({ days }, at) => (
        <div key={at} class="wrap center gap-2" role="group" aria-label={`Time ${at + 1} of ${of}`}>
          <Checks options={SHORT_DAYS} values={days} onChange={(next) => form.set(`${path}.${at}.days`, next)} />
          <span class="flex center gap-2">
            {time(at, 'start', 'Beginning')} – {time(at, 'end', 'End')}
            <Button
              look="plain"
              icon="close"
              label={`Remove time ${at + 1} of ${of}`}
              onClick={() => put(values.toSpliced(at, 1))}
            />
          </span>
        </div>
      ))}
      <AddSelect
        label={`Add a time to ${of}`}
        prompt={values.length === 0 ? 'Always; or choose a time …' : 'Add a time …'}
        options={Object.keys(TIMES).map((value) => ({ value, label: value }))}
        onAdd={(name) => put([...values, ...TIMES[name as keyof typeof TIMES]])}
      />
    </FieldGroup>
  );
}

/** Who takes turns, in order; up and down by buttons, so that it works with keys and on phones. */
function Turns(props: {
  id: string;
  of: string;
  team: Team;
  values: readonly string[];
  onChange: (values: string[]) => void;
}) {
  const { id, of, team, values, onChange } = props;
  const others = team.members.filter(({ userId }) => !values.includes(userId));
  return (
    <>
      <ol class="list lines">
        {values.map((userId, at) => {
          const name = nameOf(team.members.find((member) => member.userId === userId));
          return (
            <li key={userId} class="flex center gap-2">
              <span class="oncall-dot" style={colouring({ userId })} />
              <span class="lines grow">{name}</span>
              <Movers
                name={`${name} in ${of}`}
                isFirst={at === 0}
                isLast={at === values.length - 1}
                onMove={(by) => onChange(moved(values, at, by))}
              />
              <Button
                look="plain"
                icon="close"
                label={`${name} takes no turns in ${of}`}
                disabled={values.length === 1}
                onClick={() => onChange(values.filter((each) => each !== userId))}
              />
            </li>
          );
        })}
      </ol>
      {others.length > 0 && (
        <AddSelect
          id={id}
          prompt="Add somebody …"
          options={optionsOf(others)}
          onAdd={(userId) => onChange([...values, userId])}
        />
      )}
    </>
  );
}

/** Days, each once. */
function DatesInput({ control: { value, set, attributes } }: { control: FieldControl }) {
  const days = value as readonly string[];
  const [day, setDay] = useState('');
  const add = () => {
    if (dayOf(day) === '') return;
    set([...new Set([...days, day])].toSorted());
    setDay('');
  };
  return (
    <>
      {days.length > 0 && (
        <span class="chips">
          {days.map((each) => (
            <RemovableChip key={each} name={each} onRemove={() => set(days.filter((other) => other !== each))} />
          ))}
        </span>
      )}
      <span class="flex gap-2">
        <DateInput {...attributes} value={day} onChange={setDay} />
        <Button text="Add the day" onClick={add} />
      </span>
    </>
  );
}

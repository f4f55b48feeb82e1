import type { FieldControl } from './form.js';

const ZONES = Intl.supportedValuesOf('timeZone');

/** The zone of this browser. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** An IANA time zone, suggested as it is typed, for `Field`. */
export function TimeZoneInput({ control }: { control: FieldControl }) {
  const listId = `${control.id}-zones`;
  return (
    <>
      <input
        id={control.id}
        class="input"
        list={listId}
        value={typeof control.value === 'string' ? control.value : ''}
        autocomplete="off"
        spellcheck={false}
        aria-describedby={control.describedBy}
        aria-invalid={control.isInvalid || undefined}
        onInput={(event) => control.set(event.currentTarget.value)}
      />
      <datalist id={listId}>
        {['UTC', ...ZONES].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}

import { textOf } from './field-control.js';
import { Field } from './form.js';

const ZONES = Intl.supportedValuesOf('timeZone');

/** The zone of this browser. */
export const OWN_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The field of an IANA time zone, which is suggested as it is typed. */
export function ZoneField({ name, hint }: { name: string; hint?: string }) {
  return (
    <Field name={name} label="Time zone" hint={hint}>
      {({ value, set, attributes }) => (
        <>
          <input
            {...attributes}
            class="input"
            list={`${attributes.id}-zones`}
            value={textOf(value)}
            autocomplete="off"
            spellcheck={false}
            onInput={(event) => set(event.currentTarget.value)}
          />
          <datalist id={`${attributes.id}-zones`}>
            {['UTC', ...ZONES].map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

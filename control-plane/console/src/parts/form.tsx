import { createContext, type ComponentChildren } from 'preact';
import { useContext, useEffect, useId, useRef } from 'preact/hooks';
import type { ApiFault, FieldFault } from '../data/api-fault.js';
import { areRead, type ResourceView } from '../data/resources.js';
import { Button } from './button.js';
import { DateInput } from './date-input.js';
import { type DateKind, EXAMPLES } from './date-text.js';
import { Select, Toggle, type Option, textOf, type FieldControl } from './inputs.js';
import { FaultNote, Unread } from './loaded.js';
import { useFocus } from './use-focus.js';
import { belongsTo } from './field-path.js';
import type { FormModel } from './use-form.js';

const FormContext = createContext<FormModel<object> | undefined>(undefined);

interface FormProps<T> {
  form: FormModel<T>;
  action: string;
  children: ComponentChildren;
  onCancel?: () => void;
  /** Shown in place of the fault, as a conflict with what somebody else saved. */
  conflict?: ComponentChildren;
  /** It acts on these: the button works once all of them are read. */
  needs?: readonly ResourceView<unknown>[];
}

/** A form with its fields, the faults of all fields, and the button. After a refusal focus goes to the first fault. */
export function Form<T extends object>({ form, action, children, onCancel, conflict, needs = [] }: FormProps<T>) {
  const own = useRef<HTMLFormElement>(null);
  const fault = form.fault.value;
  useFocus(() => {
    if (fault !== undefined) own.current?.querySelector<HTMLElement>('[aria-invalid=true], .note')?.focus();
  }, [fault]);
  return (
    <FormContext.Provider value={form as unknown as FormModel<object>}>
      <form
        ref={own}
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void form.submit();
        }}
      >
        {form.leftOut.value.length > 0 && (
          <p class="note note-partial" role="status">
            Secrets are not kept with what you entered. Enter them again:{' '}
            {form.leftOut.value.map((path) => form.fields.get(path.join('.')) ?? path.join('.')).join(', ')}.
          </p>
        )}
        {children}
        <Unread needs={needs} />
        {conflict ?? <FormFault form={form} />}
        <div class="wrap gap-2">
          <Button text={action} type="submit" look="primary" isBusy={form.isBusy.value} disabled={!areRead(needs)} />
          {onCancel && <Button text="Cancel" onClick={onCancel} />}
        </div>
      </form>
    </FormContext.Provider>
  );
}

/** The fault of the whole form, with the details that belong to no field. */
function FormFault<T>({ form }: { form: FormModel<T> }) {
  const fault = form.fault.value;
  if (fault === undefined) return null;
  const shown = Object.assign(Object.create(fault) as ApiFault, { details: withoutField(form, fault.details) });
  return (
    <div tabIndex={-1}>
      <FaultNote fault={shown} />
    </div>
  );
}

/** @returns the faults that are shown at no field */
export function withoutField<T>({ fields }: FormModel<T>, faults: readonly FieldFault[]): FieldFault[] {
  return faults.filter(({ path }) => ![...fields.keys()].some((name) => belongsTo(path, name)));
}

/** Makes this the field of the values at `name`. @returns the form, and what the API finds wrong with the values, unless a field within it shows that */
function useField(name: string, label: string) {
  const form = useContext(FormContext);
  if (form === undefined) throw new Error(`The field ${name} is in no form.`);
  const id = useId();
  useEffect(() => {
    form.fields.set(name, label);
    return () => void form.fields.delete(name);
  }, [form, name, label]);
  const within = [...form.fields.keys()].filter((other) => other !== name && belongsTo(other, name));
  const all = new Map(
    [...(form.fault.value?.details ?? []), ...form.foreseen.value].map((each) => [
      `${each.path} ${each.message}`,
      each,
    ]),
  );
  const faults = [...all.values()].filter(
    ({ path }) => belongsTo(path, name) && !within.some((inner) => belongsTo(path, inner)),
  );
  return { form, id, faults };
}

interface FieldProps {
  /** Dotted path of the value, as in the API. */
  name: string;
  label: string;
  /** What to enter, and why. */
  hint?: ComponentChildren;
  /** Draws the control; without it, there is an input for text. */
  children?: (control: FieldControl) => ComponentChildren;
  /** One of these is chosen. */
  options?: readonly Option[];
  type?: 'text' | 'email' | 'url' | 'tel' | 'number' | 'password' | DateKind;
  placeholder?: string;
  isLong?: boolean;
  /** The label is for screen readers, where others see it from the place. */
  isUnseen?: boolean;
}

/** A labelled control of a `Form`, with all that the API finds wrong with it. */
export function Field(props: FieldProps) {
  const { name, label, hint, children, options, type = 'text', placeholder, isLong = false, isUnseen = false } = props;
  const { form, id, faults } = useField(name, label);
  const describedBy =
    [hint && `${id}-hint`, faults.length > 0 && `${id}-faults`].filter(Boolean).join(' ') || undefined;
  const attributes = { id, 'aria-describedby': describedBy, 'aria-invalid': faults.length > 0 || undefined } as const;
  const control: FieldControl = {
    label,
    value: form.get(name),
    set: (value) => form.set(name, value),
    attributes,
  };
  const shared = { ...control.attributes, class: 'input', value: textOf(control.value), placeholder };
  return (
    <div class="field">
      <label class={isUnseen ? 'unseen' : 'field-label'} for={id}>
        {label}
      </label>
      {children ? (
        children(control)
      ) : options ? (
        <Select control={control} options={options} />
      ) : isDateKind(type) ? (
        <DateInput {...attributes} kind={type} value={textOf(control.value)} onChange={control.set} />
      ) : isLong ? (
        <textarea {...shared} rows={4} onInput={(event) => control.set(event.currentTarget.value)} />
      ) : (
        <input
          {...shared}
          // The types of the JSX distinguish inputs that differ by nothing that is used here.
          {...({ type } as { type?: 'text' })}
          onInput={({ currentTarget }) =>
            control.set(
              type === 'number' && currentTarget.value !== '' ? currentTarget.valueAsNumber : currentTarget.value,
            )
          }
        />
      )}
      {hint && (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {faults.length > 0 && <FieldFaults id={`${id}-faults`} name={name} faults={faults} />}
    </div>
  );
}

function isDateKind(type: string): type is DateKind {
  return type in EXAMPLES;
}

/** Several controls of a `Form` under one label, such as checkboxes, with all that the API finds wrong with them. */
export function FieldGroup(props: {
  name: string;
  label: string;
  hint?: ComponentChildren;
  children: ComponentChildren;
}) {
  const { name, label, hint, children } = props;
  const { id, faults } = useField(name, label);
  return (
    <fieldset class="field choices lines gap-2" aria-describedby={faults.length > 0 ? `${id}-faults` : undefined}>
      <legend class="field-label">{label}</legend>
      {children}
      {hint && <p class="field-hint">{hint}</p>}
      {faults.length > 0 && <FieldFaults id={`${id}-faults`} name={name} faults={faults} />}
    </fieldset>
  );
}

/** All that the API finds wrong with a value that has no control, as it can only be taken away. */
export function FaultsAt({ name, label }: { name: string; label: string }) {
  const { id, faults } = useField(name, label);
  return faults.length > 0 && <FieldFaults id={`${id}-faults`} name={name} faults={faults} />;
}

function FieldFaults({ id, name, faults }: { id: string; name: string; faults: readonly FieldFault[] }) {
  return (
    <ul class="field-faults list small" id={id}>
      {faults.map(({ path, message }) => (
        <li key={path + message}>
          {path !== name && <code>{path.slice(name.length + 1)}</code>} {message}
        </li>
      ))}
    </ul>
  );
}

/** A value of a `Form` that is on or off. */
export function Switch({ name, ...shown }: { name: string; label: string; hint?: string; disabled?: boolean }) {
  const form = useContext(FormContext)!;
  return <Toggle {...shown} isOn={form.get(name) === true} onChange={(isOn) => form.set(name, isOn)} />;
}

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

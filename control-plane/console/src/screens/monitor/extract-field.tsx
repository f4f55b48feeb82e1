import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import { Field, FieldGroup } from '../../parts/form.js';
import { Choice, textOf, Toggle } from '../../parts/inputs.js';
import { PairsInput } from '../../parts/pairs-input.js';
import type { FormModel } from '../../parts/use-form.js';
import { SecretInput } from './setting-inputs.js';
import type { Extraction, Extractions, RequestPath } from './step-values.js';

const SOURCES: Readonly<Record<Extraction['from'], { label: string; expression?: string }>> = {
  json: { label: 'JSON value', expression: '$.token' },
  header: { label: 'Header', expression: 'location' },
  cookie: { label: 'Cookie', expression: 'session' },
  regex: { label: 'Pattern (RE2)', expression: 'id="([^"]+)"' },
  status: { label: 'Status code' },
};
const NEW_EXTRACTION: Extraction = { from: 'json', expression: '', secret: false };
const SOURCE_OPTIONS = Object.entries(SOURCES).map(([value, { label }]) => ({ value, label }));

export function ExtractField({ form, at }: { form: FormModel<MonitorValues>; at: RequestPath }) {
  const name = `${at}.extract`;
  return (
    <FieldGroup name={name} label="Extract" hint="Values of the answer, which later steps use as {{name}}.">
      <PairsInput
        pairs={form.get(name) as Extractions}
        onChange={(next) => form.set(name, next)}
        noun="value to extract"
        placeholder="token"
        initial={NEW_EXTRACTION}
      >
        {(extraction, set, label, own) => {
          const { from, secret } = extraction;
          const { expression } = SOURCES[from];
          return (
            <div class="lines gap-2">
              <Choice
                label={`${label} is`}
                options={SOURCE_OPTIONS}
                value={from}
                onChange={(next) =>
                  set(next === 'status' ? { from: next, secret } : { ...extraction, from: next as Extraction['from'] })
                }
              />
              {expression !== undefined && (
                <Field name={`${name}.${own}.expression`} label={`${label}, expression`} isUnseen>
                  {({ attributes }) => (
                    <input
                      {...attributes}
                      class="input mono"
                      placeholder={expression}
                      value={textOf(extraction.expression)}
                      spellcheck={false}
                      onInput={({ currentTarget }) => set({ ...extraction, expression: currentTarget.value })}
                    />
                  )}
                </Field>
              )}
              <Toggle
                label="Secret, shown as ***"
                isOn={secret}
                onChange={(isOn) => set({ ...extraction, secret: isOn })}
              />
            </div>
          );
        }}
      </PairsInput>
    </FieldGroup>
  );
}

type Variable = MonitorValues['http']['variables'][string];

/** Edits the constants of the steps. A secret one is never shown. */
export function VariablesField({ form }: { form: FormModel<MonitorValues> }) {
  const name = 'http.variables';
  return (
    <FieldGroup
      name={name}
      label="Variables"
      hint="Constants, which steps use as {{name}}. Secret ones are stored encrypted and shown as ***."
    >
      <PairsInput<Variable>
        pairs={form.values.value.http.variables}
        onChange={(next) => form.set(name, next)}
        noun="variable"
        placeholder="user"
        initial=""
      >
        {(value, set, label, own) => {
          const isSecret = typeof value === 'object';
          const text = isSecret ? textOf(value.secret) : value;
          return (
            <div class="lines gap-2">
              <Field name={`${name}.${own}`} label={label} isUnseen>
                {({ attributes }) =>
                  isSecret ? (
                    <SecretInput
                      control={{ attributes, label, value: text, set: (secret) => set({ secret: textOf(secret) }) }}
                    />
                  ) : (
                    <input
                      {...attributes}
                      class="input mono"
                      value={text}
                      spellcheck={false}
                      onInput={({ currentTarget }) => set(currentTarget.value)}
                    />
                  )
                }
              </Field>
              <Toggle
                label="Secret"
                isOn={isSecret}
                onChange={(isOn) => set(isOn ? { secret: text } : text === MASK ? '' : text)}
              />
            </div>
          );
        }}
      </PairsInput>
    </FieldGroup>
  );
}

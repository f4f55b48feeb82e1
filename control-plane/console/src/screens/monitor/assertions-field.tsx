import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { Assertion, AssertionSource, Comparison } from '@watchpost/shared/assertions/assertion';
import { SOURCES } from '@watchpost/shared/assertions/sources';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.js';
import { Field, FieldGroup } from '../../parts/form.js';
import { DurationInput, Select, type FieldControl } from '../../parts/inputs.js';
import type { FormModel } from '../../parts/use-form.js';
import {
  COMPARISON_WORDS,
  NEW_ASSERTION,
  readTarget,
  sourceWord,
  targetKindOf,
  type TargetKind,
  textOfTarget,
  withComparison,
  withSource,
} from './assertion-values.js';
import { TAKES_NAMES } from './setting-inputs.js';
import type { RequestPath } from './step-values.js';

const SOURCE_OPTIONS = (Object.keys(SOURCES) as AssertionSource[]).map((value) => ({
  value,
  label: sourceWord(value),
}));
const PROPERTIES: Partial<Record<AssertionSource, { label: string; placeholder: string }>> = {
  header: { label: 'Name', placeholder: 'content-type' },
  json: { label: 'JSONPath', placeholder: '$.items[0].name' },
};

export function AssertionsField({ form, at }: { form: FormModel<MonitorValues>; at: RequestPath }) {
  const name = `${at}.assertions`;
  const assertions = form.get(name) as readonly Assertion[];
  const put = (next: readonly Assertion[]) => form.set(name, next);
  return (
    <FieldGroup
      name={name}
      label="Assertions"
      hint="What the answer has to be. All of them are evaluated at every check."
    >
      {assertions.map((assertion, index) => (
        <AssertionRow
          key={index}
          name={`${name}.${index}`}
          assertion={assertion}
          index={index}
          onChange={(next) => put(assertions.with(index, next))}
          onRemove={() => put(assertions.toSpliced(index, 1))}
        />
      ))}
      <div class="row">
        <Button text="Add an assertion" icon="plus" onClick={() => put([...assertions, NEW_ASSERTION])} />
      </div>
    </FieldGroup>
  );
}

interface RowProps {
  name: string;
  assertion: Assertion;
  index: number;
  onChange: (assertion: Assertion) => void;
  onRemove: () => void;
}

function AssertionRow({ name, assertion, index, onChange, onRemove }: RowProps) {
  const { source, comparison } = assertion;
  const property = PROPERTIES[source];
  return (
    <fieldset class="assertion sunken pad-3 choices">
      <legend class="field-label">Assertion {index + 1}</legend>
      <div class="beside" style={{ '--least': '8rem' }}>
        <Field name={`${name}.source`} label="Of the answer">
          {(control) => (
            <Select
              control={{ ...control, set: (value) => onChange(withSource(assertion, value as AssertionSource)) }}
              options={SOURCE_OPTIONS}
            />
          )}
        </Field>
        {property && <Field name={`${name}.property`} {...property} />}
        <Field name={`${name}.comparison`} label="Comparison">
          {(control) => (
            <Select
              control={{ ...control, set: (value) => onChange(withComparison(assertion, value as Comparison)) }}
              options={SOURCES[source].comparisons.map((value) => ({ value, label: COMPARISON_WORDS[value] }))}
            />
          )}
        </Field>
        <TargetField name={`${name}.target`} assertion={assertion} key={`${source} ${comparison}`} />
        <Field
          name={`${name}.severity`}
          label="Otherwise"
          options={[
            { value: 'down', label: 'down' },
            { value: 'degraded', label: 'degraded' },
          ]}
        />
      </div>
      <Button look="plain" icon="trash" text="Remove" label={`Remove assertion ${index + 1}`} onClick={onRemove} />
    </fieldset>
  );
}

const HINTS: Partial<Record<AssertionSource | TargetKind, string>> = {
  any: 'Types count: 1 is a number, "1" is text',
  list: 'Separated by commas',
  responseTime: 'In ms',
  bodySize: 'In bytes, decoded',
};

function TargetField({ name, assertion }: { name: string; assertion: Assertion }) {
  const { source, comparison } = assertion;
  const kind = targetKindOf(assertion);
  if (kind === 'none') return null;
  if (kind === 'duration')
    return (
      <Field name={name} label="Than">
        {(control) => <DurationInput control={control} unset="P1D" />}
      </Field>
    );
  const isPattern = comparison === 'matches' || comparison === 'notMatches';
  return (
    <Field name={name} label={isPattern ? 'Pattern (RE2)' : 'Value'} hint={HINTS[kind] ?? HINTS[source]}>
      {(control) => <TargetInput control={control} assertion={assertion} />}
    </Field>
  );
}

/** Typed text stays as it is until the field is left. */
function TargetInput({ control, assertion }: { control: FieldControl; assertion: Assertion }) {
  const { source, target } = assertion;
  const kind = targetKindOf(assertion);
  const [typed, setTyped] = useState<string>();
  return (
    <input
      {...control.attributes}
      {...TAKES_NAMES}
      class="input mono"
      inputMode={kind === 'number' ? 'decimal' : 'text'}
      spellcheck={false}
      value={typed ?? textOfTarget(target, kind, source)}
      onInput={({ currentTarget: { value } }) => {
        setTyped(value);
        control.set(readTarget(value, kind, source));
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}

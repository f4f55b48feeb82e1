import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { Assertion, AssertionSource, Comparison } from '@watchpost/shared/assertions/assertion';
import { SOURCES } from '@watchpost/shared/assertions/sources';
import { useState } from 'preact/hooks';
import { Button } from '../../parts/button.js';
import { Field, FieldGroup } from '../../parts/form.js';
import { DurationInput, Select, type FieldControl } from '../../parts/inputs.js';
import type { FormModel } from '../../parts/use-form.js';
import { partsOfHeaders, partsOfJson, type AnswerPart } from './answer-values.js';
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
import { readTarget as readUrl } from './target.js';
import type { TargetTest } from './target-result.js';

const NAME = 'http.assertions';
const SOURCE_OPTIONS = (Object.keys(SOURCES) as AssertionSource[]).map((value) => ({
  value,
  label: sourceWord(value),
}));
const PROPERTIES: Partial<Record<AssertionSource, { label: string; placeholder: string }>> = {
  header: { label: 'Name', placeholder: 'content-type' },
  json: { label: 'JSONPath', placeholder: '$.items[0].name' },
};

/** Edits the assertions, a row for each; a row can be made from what the last test answered. */
export function AssertionsField({ form, test }: { form: FormModel<MonitorValues>; test: TargetTest }) {
  const { assertions } = form.values.value.http;
  const put = (next: readonly Assertion[]) => form.set(NAME, next);
  const add = (assertion: Assertion) => put([...assertions, assertion]);
  return (
    <FieldGroup
      name={NAME}
      label="Assertions"
      hint="What the answer has to be. All of them are evaluated at every check."
    >
      {assertions.map((assertion, index) => (
        <AssertionRow
          key={index}
          assertion={assertion}
          index={index}
          onChange={(next) => put(assertions.with(index, next))}
          onRemove={() => put(assertions.toSpliced(index, 1))}
        />
      ))}
      <div class="row">
        <Button text="Add an assertion" icon="plus" onClick={() => add(NEW_ASSERTION)} />
      </div>
      <FromAnswer form={form} test={test} onChoose={add} />
    </FieldGroup>
  );
}

interface RowProps {
  assertion: Assertion;
  index: number;
  onChange: (assertion: Assertion) => void;
  onRemove: () => void;
}

function AssertionRow({ assertion, index, onChange, onRemove }: RowProps) {
  const { source, comparison } = assertion;
  const property = PROPERTIES[source];
  const name = `${NAME}.${index}`;
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

/** The headers and the JSON values of the last test, from which assertions are made. */
function FromAnswer(props: {
  form: FormModel<MonitorValues>;
  test: TargetTest;
  onChoose: (assertion: Assertion) => void;
}) {
  const { form, test, onChoose } = props;
  const outcome = test.http.value;
  const answer = outcome.state === 'done' ? outcome.body.answer : null;
  const target = readUrl(form.values.value.url);
  const json = answer === null ? undefined : partsOfJson(answer.body);
  return (
    <div class="lines gap-2">
      {answer !== null && (
        <Parts title="Headers of the last test" parts={partsOfHeaders(answer.headers)} onChoose={onChoose} />
      )}
      {json && <Parts title="JSON values of the last test" parts={json} onChoose={onChoose} />}
      <p class="row soft small">
        {answer === null
          ? 'Test the URL to make assertions from its answer.'
          : `Choose a part to add an assertion that it satisfies.${json ? '' : ' The body is no JSON, or longer than 16 KiB.'}`}
        {target !== undefined && (
          <Button
            text="Test"
            icon="refresh"
            isBusy={test.isRunning()}
            onClick={() => test.run(target, form.values.peek())}
          />
        )}
      </p>
    </div>
  );
}

function Parts(props: { title: string; parts: readonly AnswerPart[]; onChoose: (assertion: Assertion) => void }) {
  const { title, parts, onChoose } = props;
  return (
    <details class="answer-parts">
      <summary>
        {title} ({parts.length})
      </summary>
      <ul class="list">
        {parts.map(({ name, text, assertion }) => (
          <li key={name}>
            <button type="button" class="bare" onClick={() => onChoose(assertion)}>
              <code>{name}</code> <span class="soft mono">{text}</span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

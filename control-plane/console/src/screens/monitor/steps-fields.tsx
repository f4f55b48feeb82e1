import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { useRef, useState } from 'preact/hooks';
import { Button, Movers } from '../../parts/button.js';
import { first } from '../../data/session.js';
import { belongsTo, moved } from '../../parts/field-path.js';
import { Field, FieldGroup, Switch } from '../../parts/form.js';
import { DurationInput } from '../../parts/inputs.js';
import type { FormModel } from '../../parts/use-form.js';
import { VariablesField } from './extract-field.js';
import { FromAnswer } from './from-answer.js';
import { fieldsOf, RequestFields, StatedFields } from './request-fields.js';
import { TAKES_NAMES } from './setting-inputs.js';
import { namesAt, newStep, type Step, withStepAlone, withStepsUpTo } from './step-values.js';
import { readTarget } from './target.js';
import { Verdict, type TargetTest } from './target-result.js';

/** It is asked for where a step may change something. */
export const SAFE_TO_REPEAT = 'http.safeToRepeat';

interface StepsProps {
  form: FormModel<MonitorValues>;
  test: TargetTest;
}

/** The requests after the monitor's own, in their order, and the variables that they use. */
export function StepsFields({ form, test }: StepsProps) {
  const { url, http } = form.values.value;
  const { steps } = http;
  // They stay with their steps, so that what is open and has focus moves along.
  const [keys, setKeys] = useState<readonly number[]>([]);
  const keyOf = (index: number) => keys[index] ?? -index - 1;
  const [news, setNews] = useState('');
  const put = (next: readonly Step[], nextKeys: readonly number[]) => {
    setKeys(nextKeys);
    form.set('http.steps', next);
  };
  const allKeys = steps.map((_, index) => keyOf(index));
  const target = readTarget(url);
  return (
    <>
      <h2>Steps</h2>
      <FieldGroup
        name="http.steps"
        label="Further requests"
        hint="They are sent after the one above, in this order. Cookies are kept, the timeout is for all of them, and the check fails at the first that fails."
      >
        <p class="unseen" role="status">
          {news}
        </p>
        {steps.map((step, index) => (
          <StepFields
            key={keyOf(index)}
            form={form}
            test={test}
            step={step}
            index={index}
            onMove={(by) => {
              put(moved(steps, index, by), moved(allKeys, index, by));
              setNews(`${step.name} is step ${index + by + 1} of ${steps.length}`);
            }}
            onRemove={() => put(steps.toSpliced(index, 1), allKeys.toSpliced(index, 1))}
          />
        ))}
        <div class="row">
          <Button
            text="Add a step"
            icon="plus"
            onClick={() =>
              put(
                [...steps, newStep(first!.monitorForm.initial.http, steps.length + 1)],
                [...allKeys, Math.max(0, ...allKeys) + 1],
              )
            }
          />
          {target && steps.length > 0 && (
            <Button
              text="Test all steps"
              icon="refresh"
              isBusy={test.isRunning()}
              onClick={() => test.run(target, form.values.peek())}
            />
          )}
        </div>
      </FieldGroup>
      {steps.some(({ method }) => method !== 'GET' && method !== 'HEAD') && (
        <StatedFields form={form} fields={fieldsOf('http').filter(({ name }) => name === SAFE_TO_REPEAT)} />
      )}
      <VariablesField form={form} />
    </>
  );
}

const METHOD = 'http.method';

function StepFields(
  props: StepsProps & { step: Step; index: number; onMove: (by: 1 | -1) => void; onRemove: () => void },
) {
  const { form, test, step, index, onMove, onRemove } = props;
  const { http } = form.values.value;
  const at = `http.steps.${index}` as const;
  const own = useRef<HTMLFieldSetElement>(null);
  const latest = useRef<HTMLInputElement>(undefined);
  const stated = fieldsOf('http');
  const options = stated.find(({ name }) => name === METHOD)!.options;
  const auth = stated.filter(({ name }) => name === 'http.auth').map((field) => ({ ...field, name: `${at}.auth` }));
  const hasFault = (form.fault.value?.details ?? []).some(
    ({ path }) => belongsTo(path, at) && !/\.(?:name|method|url)$/.test(path),
  );
  const whole = readTarget(form.values.value.url);
  const alone = withStepAlone(form.values.value, step);
  const target = alone && readTarget(step.url);
  const isTested = test.testedStep.value === step.name;

  /** Where somebody typed last, else in the URL. */
  const insert = (name: string) => {
    const input = latest.current?.isConnected ? latest.current : own.current!.querySelector('input')!;
    input.focus();
    input.setRangeText(`{{${name}}}`, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
    input.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };

  return (
    <fieldset
      ref={own}
      class="step sunken pad-3 choices lines one-column gap-3"
      onFocusIn={({ target: focused }) => {
        if (focused instanceof Element && focused.matches('[data-takes-names]'))
          latest.current = focused as HTMLInputElement;
      }}
    >
      <legend class="field-label">
        Step {index + 1} of {http.steps.length}
      </legend>
      <div class="beside" style={{ '--least': '8rem' }}>
        <Field name={`${at}.name`} label="Name" />
        <Field name={`${at}.method`} label="Method" options={options} />
      </div>
      <Field name={`${at}.url`} label="URL">
        {({ attributes, value, set }) => (
          <input
            {...attributes}
            {...TAKES_NAMES}
            class="input mono"
            inputMode="url"
            placeholder="https://example.com/account"
            value={value as string}
            spellcheck={false}
            onInput={({ currentTarget }) => set(currentTarget.value)}
          />
        )}
      </Field>
      <details open={hasFault || undefined}>
        <summary>Headers, body, assertions and more of step {index + 1}</summary>
        <div class="stack above-3">
          <StatedFields form={form} fields={auth} />
          <RequestFields form={form} at={at} />
          <div class="beside">
            <Field name={`${at}.delay`} label="Wait before it" hint="10 seconds at most">
              {(control) => <DurationInput control={control} />}
            </Field>
            <Switch
              name={`${at}.always`}
              label="Runs after a failure, too"
              hint="To clean up. Its own failure changes no verdict."
            />
          </div>
        </div>
      </details>
      <div class="wrap center gap-1 small" role="group" aria-label={`Names that step ${index + 1} can use`}>
        <span class="soft">Can be used here:</span>
        {namesAt(http, index).map((name) => (
          <button
            key={name}
            type="button"
            class="chip mono text-xs"
            aria-label={`Insert ${name}`}
            onClick={() => insert(name)}
          >
            {`{{${name}}}`}
          </button>
        ))}
      </div>
      {isTested && (
        <p>
          <Verdict http={test.http.value} />
        </p>
      )}
      <FromAnswer form={form} at={at} name={step.name} test={test}>
        {whole && (
          <Button
            text="Test up to this step"
            icon="refresh"
            isBusy={test.isRunning()}
            onClick={() => test.run(whole, withStepsUpTo(form.values.peek(), index), step.name)}
          />
        )}
        {target && (
          <Button text="Test it alone" isBusy={test.isRunning()} onClick={() => test.run(target, alone, step.name)} />
        )}
      </FromAnswer>
      <div class="row">
        <Movers
          name={`step ${index + 1}`}
          isFirst={index === 0}
          isLast={index === http.steps.length - 1}
          onMove={onMove}
        />
        <Button look="plain" icon="trash" text="Remove" label={`Remove step ${index + 1}`} onClick={onRemove} />
      </div>
    </fieldset>
  );
}

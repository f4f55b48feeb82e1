import { AddButton, Button, Movers } from '../../parts/button.js';
import { moved } from '../../parts/field-path.js';
import { FaultsAt, Field, FieldGroup } from '../../parts/form.js';
import { Checks, DurationInput, Toggle } from '../../parts/inputs.js';
import { SEVERITY_CHOICES } from '../../parts/state.js';
import type { FormModel } from '../../parts/use-form.js';
import { AddSelect } from './add-select.js';
import { keyOfTarget, newStep, type PolicyStep, type PolicyValues, targetOfKey } from './policy-values.js';
import type { useTargets } from './use-targets.js';

const ACKNOWLEDGEMENTS = [
  { value: 'one', label: 'one of them acknowledges' },
  { value: 'each', label: 'each of them acknowledges' },
];
const MOST_STEPS = 10;
const UNTIL = 'PT1H';

interface FieldsProps {
  form: FormModel<PolicyValues>;
  targets: ReturnType<typeof useTargets>;
}

/** A policy: for which incidents it is, and its steps in order. */
export function PolicyFields({ form, targets }: FieldsProps) {
  const { severities, steps, ackTimeout } = form.values.value;
  const put = (next: PolicyStep[]) => form.set('steps', next);
  return (
    <>
      <Field name="name" label="Name" />
      <FieldGroup
        name="severities"
        label="For incidents that are"
        hint="The first policy of the team for a severity counts."
      >
        <span class="wrap gap-3">
          <Checks options={SEVERITY_CHOICES} values={severities} onChange={(next) => form.set('severities', next)} />
        </span>
      </FieldGroup>
      {steps.map((_, at) => (
        <fieldset key={at} class="oncall-layer card card-body stack">
          <legend class="unseen">Step {at + 1}</legend>
          <div class="flex center between gap-2">
            <h4>Step {at + 1}</h4>
            {steps.length > 1 && (
              <span class="flex">
                <Movers
                  name={`step ${at + 1}`}
                  isFirst={at === 0}
                  isLast={at === steps.length - 1}
                  onMove={(by) => put(moved(steps, at, by))}
                />
                <Button
                  look="plain"
                  icon="trash"
                  label={`Remove step ${at + 1}`}
                  onClick={() => put(steps.toSpliced(at, 1))}
                />
              </span>
            )}
          </div>
          <Field name={`steps.${at}.after`} label={at === 0 ? 'After the incident opens' : 'After the step before'}>
            {(control) => <DurationInput control={control} />}
          </Field>
          <Targets form={form} targets={targets} at={at} />
          <Field name={`steps.${at}.ackRequired`} label="The next step comes unless" options={ACKNOWLEDGEMENTS} />
        </fieldset>
      ))}
      <AddButton
        entry="step"
        count={steps.length}
        most={MOST_STEPS}
        whole="A policy has"
        onClick={() => put([...steps, newStep([{ type: 'leads' }])])}
      />
      <Field name="repeat" label="Repeat all steps" type="number" hint="So many times, while nobody acknowledges." />
      <Toggle
        label="Page again after an acknowledgement without news"
        hint="Where the incident is still open and has no note since."
        isOn={ackTimeout !== null}
        onChange={(isOn) => form.set('ackTimeout', isOn ? UNTIL : null)}
      />
      {ackTimeout !== null && (
        <Field name="ackTimeout" label="Page again after">
          {(control) => <DurationInput control={control} />}
        </Field>
      )}
    </>
  );
}

/** Whom a step pages. */
function Targets({ form, targets, at }: FieldsProps & { at: number }) {
  const path = `steps.${at}.targets`;
  const values = form.values.value.steps[at]!.targets;
  const keys = values.map(keyOfTarget);
  const others = targets.options.filter(({ value }) => !keys.includes(value));
  return (
    <FieldGroup name={path} label="Pages">
      <ul class="list lines">
        {values.map((target, index) => (
          <li key={keys[index]}>
            <span class="flex center gap-2">
              <span class="grow">{targets.wordsOf(target)}</span>
              <Button
                look="plain"
                icon="close"
                label={`Do not page ${targets.wordsOf(target)} in step ${at + 1}`}
                disabled={values.length === 1}
                onClick={() => form.set(path, values.toSpliced(index, 1))}
              />
            </span>
            <FaultsAt name={`${path}.${index}`} label={targets.wordsOf(target)} />
          </li>
        ))}
      </ul>
      <AddSelect
        label={`Add whom step ${at + 1} pages`}
        prompt="Add somebody, or a channel …"
        options={others}
        onAdd={(key) => form.set(path, [...values, targetOfKey(key)])}
      />
    </FieldGroup>
  );
}

import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { factsOf, isTestable } from '@watchpost/shared/monitor-types';
import { Fragment } from 'preact';
import { Checks, Select, DurationInput } from '../../parts/inputs.js';
import { Button } from '../../parts/button.js';
import { Field, FieldGroup, Switch } from '../../parts/form.js';
import { capitalized } from '../../parts/format.js';
import { MonitorsInput } from '../../parts/pickers.js';
import type { FormModel } from '../../parts/use-form.js';
import { FromAnswer } from './from-answer.js';
import { isAdvanced, isChecked, needs } from './monitor-values.js';
import { planWith } from './plan-texts.js';
import { fieldsOf, RequestFields, StatedFields } from './request-fields.js';
import { ListInput, NullableField, toNumber } from './setting-inputs.js';
import { SAFE_TO_REPEAT, StepsFields } from './steps-fields.js';
import { withStepsUpTo } from './step-values.js';
import { readTarget } from './target.js';
import type { PlanView } from './reading.js';
import type { TargetTest } from './target-result.js';

const RECORD_TYPES = [
  'A',
  'AAAA',
  'CNAME',
  'MX',
  'NS',
  'TXT',
  'CAA',
  'DS',
  'HTTPS',
  'PTR',
  'SOA',
  'SRV',
  'TLSA',
] as const;

/** What most monitors leave as it is; folded unless something in it is at fault. */
export function AdvancedFields(props: {
  form: FormModel<MonitorValues>;
  plan: PlanView;
  /** Of a monitor that exists. */
  monitorId?: string;
  test: TargetTest;
}) {
  const { form, plan, monitorId, test } = props;
  const values = form.values.value;
  const types = values.monitorTypes;
  const hasFault = (form.fault.value?.details ?? []).some(({ path }) => isAdvanced(path));
  return (
    <details class="monitor-advanced" open={hasFault || undefined}>
      <summary>Advanced settings</summary>
      <div class="stack">
        {needs(types, 'http') && <HttpFields form={form} test={test} />}
        {isChecked(types) && <VerdictFields plan={plan} />}
        {needs(types, 'latency') && (
          <>
            <h2>Latency</h2>
            <div class="beside">
              <Field name="latency.thresholdMs" label="Slower than, ms" type="number" />
              <Field name="latency.percentile" label="Percentile">
                {(control) => (
                  <Select
                    control={{ ...control, set: (value) => control.set(Number(value)) }}
                    options={[50, 90, 95, 99].map((value) => ({ value, label: `p${value}` }))}
                  />
                )}
              </Field>
              <Field name="latency.windowChecks" label="Of the latest checks" type="number" />
            </div>
          </>
        )}
        {needs(types, 'ssl') && (
          <>
            <h2>Certificate</h2>
            <div class="beside">
              <Field name="ssl.expiryThresholdDays" label="Remind when days are left" hint="For example 14, 7, 3, 1">
                {(control) => <ListInput control={control} read={toNumber} />}
              </Field>
              <NullableField
                name="ssl.incidentDays"
                label="Open an incident from days left"
                hint="Empty: with 15 % of its lifetime left, 7 days at most"
                read={toNumber}
              />
            </div>
            <StatedFields form={form} fields={fieldsOf('ssl')} />
          </>
        )}
        {needs(types, 'dns') && <DnsFields form={form} />}
        {types.filter(isTestable).map((type) => (
          <Fragment key={type}>
            <h2>{factsOf(type).label}</h2>
            <StatedFields form={form} fields={fieldsOf(...factsOf(type).settings)} />
          </Fragment>
        ))}
        {needs(types, 'domain') && (
          <>
            <h2>Domain</h2>
            <div class="beside">
              <Field
                name="domain.expiryThresholdDays"
                label="Remind when days are left"
                hint="For example 30, 14, 7, 1"
              >
                {(control) => <ListInput control={control} read={toNumber} />}
              </Field>
              <Field name="domain.incidentDays" label="Open an incident from days left" type="number" />
            </div>
          </>
        )}
        <h2>Dependencies</h2>
        <Field name="dependsOn" label="Depends on" hint="Monitors whose outage explains a failure of this one">
          {(control) => <MonitorsInput control={control} without={monitorId} />}
        </Field>
        <h2>Reports by mail</h2>
        <div class="row gap-3-5">
          {(['daily', 'weekly', 'monthly'] as const).map((each) => (
            <Switch key={each} name={`reporting.${each}Report`} label={capitalized(each)} />
          ))}
        </div>
      </div>
    </details>
  );
}

function VerdictFields({ plan }: { plan: PlanView }) {
  const timeoutPlan = planWith(plan.products, ({ features }) => features.customTimeout);
  return (
    <>
      <h2>Verdict</h2>
      <div class="beside">
        <Field
          name="numberOfChecksBeforeAlert"
          label="Failures before an alert"
          hint="In a row, in a region"
          type="number"
        />
        <Field name="numberOfChecksBeforeRecovery" label="Successes before recovery" hint="In a row" type="number" />
      </div>
      <Field
        name="checkTimeout"
        label="Timeout"
        hint={
          plan.hasTimeout
            ? '5 to 60 seconds; 30 seconds unless changed'
            : `30 seconds. ${timeoutPlan ?? 'A larger plan'} can change it.`
        }
      >
        {(control) =>
          plan.hasTimeout ? (
            <DurationInput control={control} unset="PT30S" />
          ) : (
            <input {...control.attributes} class="input" value="30 seconds" disabled />
          )
        }
      </Field>
    </>
  );
}

function HttpFields({ form, test }: { form: FormModel<MonitorValues>; test: TargetTest }) {
  const { url, http } = form.values.value;
  const target = readTarget(url);
  return (
    <>
      <h2>Request</h2>
      <StatedFields form={form} fields={fieldsOf('http').filter(({ name }) => name !== SAFE_TO_REPEAT)} />
      <RequestFields form={form} at="http">
        <div class="beside">
          <NullableField name="http.keyword" label="Text in the answer" hint="Case-sensitive" />
          {http.keyword !== null && (
            <Field
              name="http.keywordMode"
              label="It"
              options={[
                { value: 'present', label: 'must be there' },
                { value: 'absent', label: 'must not be there' },
              ]}
            />
          )}
        </div>
      </RequestFields>
      <FromAnswer form={form} at="http" test={test}>
        {target && (
          <Button
            text="Test"
            icon="refresh"
            isBusy={test.isRunning()}
            onClick={() => test.run(target, withStepsUpTo(form.values.peek(), -1))}
          />
        )}
      </FromAnswer>
      <StepsFields form={form} test={test} />
    </>
  );
}

function DnsFields({ form }: { form: FormModel<MonitorValues> }) {
  const { dns } = form.values.value;
  const expect = (type: (typeof RECORD_TYPES)[number], values: string[]) => {
    const { [type]: former, ...others } = dns.expectedRecords;
    form.set(
      'dns.expectedRecords',
      values.length === 0 ? others : { ...others, [type]: { match: former?.match ?? 'exact', values } },
    );
  };
  return (
    <>
      <h2>DNS</h2>
      <FieldGroup name="dns.recordTypes" label="Records">
        <div class="row gap-3-5">
          <Checks
            options={RECORD_TYPES.map((value) => ({ value, label: value }))}
            values={dns.recordTypes}
            onChange={(types) =>
              form.set(
                'dns.recordTypes',
                RECORD_TYPES.filter((each) => types.includes(each)),
              )
            }
          />
        </div>
      </FieldGroup>
      <FieldGroup
        name="dns.expectedRecords"
        label="Expected values"
        hint="One per line, texts with their blanks or in quotes. Empty: anything; otherwise just these must be found."
      >
        <div class="monitor-expected lines gap-2">
          {dns.recordTypes.map((type) => (
            <label key={type}>
              <span class="mono">{type}</span>
              <ListInput
                control={{
                  attributes: { id: `expected-${type}` },
                  value: dns.expectedRecords[type]?.values,
                  set: (values) => expect(type, values as string[]),
                }}
                isLong
              />
            </label>
          ))}
        </div>
      </FieldGroup>
      <Field name="dns.resolvers" label="Resolvers" hint="host or host:port; empty for those of the agent">
        {(control) => <ListInput control={control} />}
      </Field>
      <Switch name="dns.checkPropagation" label="Ask every name server of the zone" />
      <StatedFields form={form} fields={fieldsOf('dns')} />
      {dns.dnssec !== 'off' && (
        <Field name="dns.signatureDays" label="Days that a signature must be valid" type="number" />
      )}
    </>
  );
}

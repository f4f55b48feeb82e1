import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { factsOf } from '@watchpost/shared/monitor-types';
import { Fragment } from 'preact';
import { valueAt } from '../../parts/field-path.js';
import { first } from '../../data/session.js';
import { Checks, Select, DurationInput } from '../../parts/inputs.js';
import { Field, FieldGroup, Switch } from '../../parts/form.js';
import { capitalized } from '../../parts/format.js';
import { MonitorsInput } from '../../parts/pickers.js';
import type { FormModel } from '../../parts/use-form.js';
import { AssertionsField } from './assertions-field.js';
import { isAdvanced, isHeartbeat, needs } from './monitor-values.js';
import { planWith } from './plan-texts.js';
import { HeadersInput, ListInput, NullableField, VariantFields } from './setting-inputs.js';
import type { PlanView } from './reading.js';
import type { TargetTest } from './target-result.js';

const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];
const RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'TXT'] as const;

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
        {!isHeartbeat(types) && <VerdictFields plan={plan} />}
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
            <StatedFields form={form} of={['ssl']} />
          </>
        )}
        {needs(types, 'dns') && <DnsFields form={form} />}
        {types
          .filter((type) => factsOf(type).isAlone)
          .map((type) => (
            <Fragment key={type}>
              <h2>{factsOf(type).label}</h2>
              <StatedFields form={form} of={factsOf(type).settings} />
            </Fragment>
          ))}
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
  const { http } = form.values.value;
  return (
    <>
      <h2>Request</h2>
      <StatedFields form={form} of={['http']} />
      <Field name="http.expectedStatusCodes" label="Expected codes" hint="Codes and ranges: 200-299, 404">
        {(control) => <ListInput control={control} />}
      </Field>
      <FieldGroup
        name="http.headers"
        label="Headers"
        hint="Values of secret headers, such as Authorization, are stored encrypted and shown as ***."
      >
        <HeadersInput headers={http.headers} onChange={(headers) => form.set('http.headers', headers)} />
      </FieldGroup>
      {WITH_BODY.includes(http.method) && <NullableField name="http.body" label="Body" isLong />}
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
      <AssertionsField form={form} test={test} />
    </>
  );
}

/** The fields of settings that are drawn by what each of them states. */
function StatedFields({ form, of }: { form: FormModel<MonitorValues>; of: readonly string[] }) {
  const fields = first!.monitorForm.fields.filter(({ settings }) => of.includes(settings));
  const toggles = fields.filter(({ control }) => control === 'toggle');
  const choices = fields.filter(({ control }) => control === 'choice');
  return (
    <>
      {choices.length > 0 && (
        <div class="beside">
          {choices.map(({ settings: _, control: _c, variants: _v, ...field }) => (
            <Field key={field.name} {...field} />
          ))}
        </div>
      )}
      {fields.map(({ name, label, hint, control, variants }) => {
        const field = { name, label, ...(hint !== undefined && { hint }) };
        if (control === 'text') return <NullableField key={name} {...field} />;
        if (control === 'variants') return <VariantFields key={name} {...field} form={form} variants={variants} />;
        return (
          control === 'headers' && (
            <FieldGroup key={name} {...field}>
              <HeadersInput
                headers={valueAt(form.values.value, name) as Record<string, string>}
                onChange={(headers) => form.set(name, headers)}
              />
            </FieldGroup>
          )
        );
      })}
      {toggles.length > 0 && (
        <div class="row gap-3-5">
          {toggles.map(({ name, label }) => (
            <Switch key={name} name={name} label={label} />
          ))}
        </div>
      )}
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
        hint="One a line, texts with their blanks or in quotes. Empty: anything; otherwise just these must be found."
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
    </>
  );
}

function toNumber(word: string): number | string {
  return /^\d+$/.test(word) ? Number(word) : word;
}

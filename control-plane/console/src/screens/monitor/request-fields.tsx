import { Select } from '../../parts/inputs.js';
import type { MonitorForm, MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { ComponentChildren } from 'preact';
import { valueAt } from '../../parts/field-path.js';
import { first } from '../../data/session.js';
import { Field, FieldGroup, Switch } from '../../parts/form.js';
import type { FormModel } from '../../parts/use-form.js';
import { AssertionsField } from './assertions-field.js';
import { ExtractField } from './extract-field.js';
import { HeadersInput, ListInput, NullableField, ScriptField, toNumber, VariantFields } from './setting-inputs.js';
import type { RequestPath } from './step-values.js';

const WITH_BODY = ['POST', 'PUT', 'PATCH', 'DELETE'];

/** Draws what the monitor's own request and each of its steps have, but for what `StatedFields` draws; `children` belong to the own one alone. */
export function RequestFields(props: {
  form: FormModel<MonitorValues>;
  at: RequestPath;
  children?: ComponentChildren;
}) {
  const { form, at, children } = props;
  const name = `${at}.headers`;
  return (
    <>
      <Field name={`${at}.expectedStatusCodes`} label="Expected codes" hint="Codes and ranges: 200-299, 404">
        {(control) => <ListInput control={control} />}
      </Field>
      <FieldGroup
        name={name}
        label="Headers"
        hint="Values of secret headers, such as Authorization, are stored encrypted and shown as ***."
      >
        <HeadersInput
          headers={form.get(name) as Record<string, string>}
          onChange={(headers) => form.set(name, headers)}
        />
      </FieldGroup>
      {WITH_BODY.includes(form.get(`${at}.method`) as string) && (
        <NullableField name={`${at}.body`} label="Body" isLong />
      )}
      {children}
      <AssertionsField form={form} at={at} />
      <ExtractField form={form} at={at} />
    </>
  );
}

type StatedField = MonitorForm['fields'][number];

/** @returns the stated fields of these settings */
export function fieldsOf(...of: readonly string[]): StatedField[] {
  return first!.monitorForm.fields.filter(({ settings }) => of.includes(settings));
}

export function StatedFields({ form, fields }: { form: FormModel<MonitorValues>; fields: readonly StatedField[] }) {
  const toggles = fields.filter(({ control }) => control === 'toggle');
  const choices = fields.filter(({ control }) => control === 'choice');
  return (
    <>
      {choices.length > 0 && (
        <div class="beside">
          {choices.map(({ settings: _, control: _c, variants: _v, ...field }) => (
            <Field key={field.name} {...field}>
              {(control) => <Select isNullable control={control} options={field.options} />}
            </Field>
          ))}
        </div>
      )}
      {fields.map(({ name, label, hint, control, variants }) => {
        const field = { name, label, ...(hint !== undefined && { hint }) };
        if (control === 'text') return <NullableField key={name} {...field} />;
        if (control === 'script') return <ScriptField key={name} {...field} />;
        if (control === 'number') return <NullableField key={name} {...field} read={toNumber} />;
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
          {toggles.map(({ name, label, hint }) => (
            <Switch key={name} name={name} label={label} {...(hint !== undefined && { hint })} />
          ))}
        </div>
      )}
    </>
  );
}

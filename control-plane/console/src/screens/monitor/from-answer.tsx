import type { MonitorValues } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { Assertion } from '@watchpost/shared/assertions/assertion';
import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button.js';
import type { FormModel } from '../../parts/use-form.js';
import { partsOfHeaders, partsOfJson, type AnswerPart } from './answer-values.js';
import { type Extractions, freeName, type RequestPath } from './step-values.js';
import type { TargetTest } from './target-result.js';

/** The headers and the JSON values of the last test, from which assertions and extractions of a request are made. */
export function FromAnswer(props: {
  form: FormModel<MonitorValues>;
  at: RequestPath;
  /** The name of the step; left out for the monitor's own request. */
  name?: string;
  test: TargetTest;
  /** The buttons that test it. */
  children: ComponentChildren;
}) {
  const { form, at, name, test, children } = props;
  const outcome = test.http.value;
  const answer = outcome.state === 'done' && test.answered.value === name ? outcome.body.answer : null;
  const json = answer === null ? undefined : partsOfJson(answer.body);
  const list = {
    onAssert: (assertion: Assertion) =>
      form.set(`${at}.assertions`, [...(form.get(`${at}.assertions`) as Assertion[]), assertion]),
    onExtract: ({ name: wanted, ...extraction }: NonNullable<AnswerPart['extraction']>) => {
      const former = form.get(`${at}.extract`) as Extractions;
      form.set(`${at}.extract`, { ...former, [freeName(wanted, former)]: extraction });
    },
  };
  return (
    <div class="lines gap-2">
      {answer !== null && <Parts title="Headers of the last test" parts={partsOfHeaders(answer.headers)} {...list} />}
      {json && <Parts title="JSON values of the last test" parts={json} {...list} />}
      <p class="row soft small">
        {answer === null
          ? 'Test it to make assertions and extractions from its answer.'
          : `Choose a part to add an assertion that it satisfies, or extract its value for later steps.${json ? '' : ' The body is no JSON, or longer than 16 KiB.'}`}
        {children}
      </p>
    </div>
  );
}

function Parts(props: {
  title: string;
  parts: readonly AnswerPart[];
  onAssert: (assertion: Assertion) => void;
  onExtract: (extraction: NonNullable<AnswerPart['extraction']>) => void;
}) {
  const { title, parts, onAssert, onExtract } = props;
  return (
    <details class="answer-parts">
      <summary>
        {title} ({parts.length})
      </summary>
      <ul class="list">
        {parts.map(({ name, text, assertion, extraction }) => (
          <li key={name} class="flex center">
            <button type="button" class="bare" onClick={() => onAssert(assertion)}>
              <code>{name}</code> <span class="soft mono">{text}</span>
            </button>
            {extraction && (
              <Button look="plain" text="Extract" label={`Extract ${name}`} onClick={() => onExtract(extraction)} />
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

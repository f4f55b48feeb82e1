import { z } from 'zod';
import { assertionFaults } from '@watchpost/shared/assertions/assertion-faults';
import type { Assertion } from '@watchpost/shared/assertions/assertion';
import { EXTRACTION_SOURCES, MOST_STEP_NAME, MOST_STEPS } from '@watchpost/shared/checks/http';
import { formatDuration } from '@watchpost/shared/duration';
import { isSecretHeader, MASK } from '@watchpost/shared/secrets/secret-header';
import { parseUrl } from '@watchpost/shared/parse-url';
import {
  endOfOrigin,
  isOnlyPlaceholders,
  placeholdersOf,
  VARIABLE_NAME,
  withoutPlaceholders,
} from '@watchpost/shared/steps/placeholders';
import { checkedText, durationSchema, isoDuration, mapFromNames, nameUpTo } from '../../../platform/http/schemas.js';
import { shownInForms } from '../../../platform/http/define-settings.js';
import { type httpAuthInput, httpAuthSetting } from './http-auth-setting.js';
import { placeOfUrl, urlFaults } from './monitor-url.js';
import {
  assertionsSetting,
  bodySetting,
  expectedStatusSetting,
  faultyFields,
  HTTP_METHODS,
  isObject,
} from './request-settings.js';
import { headersSetting, secretSettings } from './secret-settings.js';

const MOST_NAMES = 20;
const MAX_VALUE = 4_096;

/** A map from names, at most 20, that placeholders can have. */
function named<Value extends z.ZodType>(value: Value) {
  return mapFromNames(value, (values) => {
    const names = Object.keys(values);
    if (names.length > MOST_NAMES) return [{ name: null, message: `must have at most ${MOST_NAMES} entries` }];
    const message = 'must have a name of a letter and up to 39 letters, digits and _';
    return names.filter((name) => !VARIABLE_NAME.test(name)).map((name) => ({ name, message }));
  });
}

const extraction = z
  .strictObject({
    from: z.enum(EXTRACTION_SOURCES),
    expression: z
      .string()
      .max(1_024)
      .optional()
      .meta({
        description:
          'Of `json` a query of RFC 9535, whose first match counts; of `header` and `cookie` a name; of `regex` a pattern of RE2 for the body, whose ' +
          'first group counts where it has one; left out for `status`.',
        example: '$.token',
      }),
    secret: z.boolean().default(false).meta({ description: 'It is masked wherever it is shown.' }),
  })
  .superRefine(
    (value, context) => {
      const faulty = faultyFields(context);
      if (faulty.has('from') || faulty.has('expression')) return;
      for (const message of expressionFaults(value))
        context.addIssue({ code: 'custom', path: ['expression'], message });
    },
    { when: isObject },
  )
  .meta({ id: 'HttpExtraction' });

function expressionFaults({ from, expression }: { from: string; expression?: string | undefined }): string[] {
  if (from === 'status') return expression === undefined ? [] : ['must be left out for status'];
  if (expression === undefined) return ['is required'];
  const severity = 'down';
  const faults =
    from === 'regex'
      ? assertionFaults({ source: 'body', comparison: 'matches', target: expression, severity })
      : assertionFaults({
          source: from === 'json' ? 'json' : 'header',
          property: expression,
          comparison: 'exists',
          severity,
        });
  return faults.map(({ message }) => (from === 'cookie' ? message.replace('of a header', 'of a cookie') : message));
}

const extract = named(extraction);
const VARIABLE_EXAMPLE = { shop: 'eu-1', password: { secret: '***' } };

/** A check with placeholders in it is read as if they were filled. */
const readable = (assertion: Assertion): Assertion => {
  const { target } = assertion;
  return typeof target === 'string' ? { ...assertion, target: withoutPlaceholders(target) } : assertion;
};

/** @param own the fields that answers and inputs state differently */
function stepSchema<Url extends z.ZodType, Auth extends z.ZodType, Delay extends z.ZodType>(own: {
  url: Url;
  auth: Auth;
  delay: Delay;
}) {
  return z.strictObject({
    name: nameUpTo(MOST_STEP_NAME).meta({
      description: 'Results name it by this; unique in any case. With another one its secrets must be given again.',
      example: 'Sign in',
    }),
    url: own.url,
    method: z.enum(HTTP_METHODS).default('GET'),
    headers: headersSetting('', {}, (name, value) => isSecretHeader(name) && !isOnlyPlaceholders(value))
      .meta({
        description: 'As `http.headers`; `Bearer {{token}}`, of placeholders alone, is no secret.',
      })
      .default({}),
    auth: own.auth,
    body: bodySetting.default(null),
    expectedStatusCodes: expectedStatusSetting.default(['200-399']),
    assertions: assertionsSetting('StepAssertion', readable).default([]),
    extract: extract.default({}),
    always: z.boolean().default(false).meta({
      description: 'Runs after a failure or a timeout too, within 10 s more, and changes no verdict.',
    }),
    delay: own.delay,
  });
}

const url = z.string().meta({
  description:
    'An http:// or https:// URL, under the same rules as that of the monitor. Its host and port have no placeholders.',
  example: 'https://shop.example/api/orders/{{order}}',
});
const DELAY = { description: 'Waited before it, PT0S to PT10S; no part of `responseTime`.', default: 'PT0S' };

/** The steps of HTTP checks, and what they are made of. Within them everything is replaced as a whole. */
export const stepSettings = {
  variables: named(
    z.union([
      z
        .string()
        .max(MAX_VALUE)
        .refine((value) => value !== MASK, { error: 'is what a secret is shown as: send `{ "secret": "***" }`' }),
      z
        .strictObject({ secret: z.string().min(1).max(MAX_VALUE) })
        .register(secretSettings, { isSecret: (name) => name === 'secret' }),
    ]),
  ).meta({
    description:
      'Constants for steps as `{{name}}`, at most 20. `{ "secret": … }` is stored encrypted and answered as `***`; sent back so it stays. Where a step ' +
      'would send it to another host than before, or without TLS, it must be given again.',
    default: {},
    example: VARIABLE_EXAMPLE,
  }),
  extract: extract.meta({
    description:
      'Values of the answer that steps use as `{{name}}`, at most 20, each of at most 4,096 characters. A step that uses one that was not found fails.',
    default: {},
    example: { token: { from: 'json', expression: '$.token', secret: true } },
  }),
  steps: z
    .array(
      stepSchema({ url, auth: httpAuthSetting.default(null), delay: isoDuration.default('PT0S').meta(DELAY) }).meta({
        id: 'MonitorHttpStep',
      }),
    )
    .max(MOST_STEPS)
    .meta({
      description:
        'Further requests after the one of the monitor, in order, at most 9, with one `checkTimeout`, one cookie jar and one verdict. `{{name}}` in URL, headers, ' +
        'body and targets of assertions is a variable, a value that an earlier request extracts, or `{{now}}`, `{{timestamp}}` or `{{uuid}}`; it is percent-encoded in URLs ' +
        'and escaped in strings of JSON bodies. The first that fails decides, and those after it run only with `always`.',
      default: [],
      example: [],
    }),
  safeToRepeat: z
    .boolean()
    .meta({
      description:
        'A failing check is repeated from another region. With steps other than GET and HEAD only where this is true, because they may change something.',
      default: false,
    })
    .register(shownInForms, {
      label: 'Steps may run again to confirm a failure',
      hint: 'Another agent sends all requests once more. Leave it off where that does harm, such as a second order.',
    }),
};

export function stepsInput(auth: ReturnType<typeof httpAuthInput>) {
  const delay = durationSchema({ minMs: 0, maxMs: 10_000 }).transform(formatDuration).default('PT0S').meta(DELAY);
  const checked = checkedText(2_048, stepUrlFaults).meta(url.meta()!);
  return z
    .array(stepSchema({ url: checked, auth: auth.default(null), delay }).meta({ id: 'MonitorHttpStepInput' }))
    .max(MOST_STEPS);
}

function stepUrlFaults(text: string): string[] {
  const filled = withoutPlaceholders(text);
  const isFixed = parseUrl(filled)?.origin === parseUrl(withoutPlaceholders(text, 'y'))?.origin;
  const [first] = placeholdersOf(text);
  if (first && (!isFixed || first.at < endOfOrigin(text))) {
    const column = first.at + 1;
    return [
      `has a placeholder in its scheme, host or port, at column ${column}: the host is fixed, so that secrets go nowhere else`,
    ];
  }
  const kind = placeOfUrl(filled)?.kind;
  return kind === 'http' || kind === 'https' ? urlFaults(filled) : ['must be an http:// or https:// URL'];
}

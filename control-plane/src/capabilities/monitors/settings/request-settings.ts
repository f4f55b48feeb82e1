import { z } from 'zod';
import { assertionFaults } from '@watchpost/shared/assertions/assertion-faults';
import { type Assertion, assertionSchema, MOST_ASSERTIONS } from '@watchpost/shared/assertions/assertion';
import { isPlain } from '../../../platform/documents/fields.js';
import { withoutRepeats } from '../../../platform/http/define-settings.js';
import { formatExpectedStatus, parseExpectedStatus } from './expected-status.js';

export const HTTP_METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
/** Methods whose requests may carry a body (RFC 9110 §9.3). */
export const METHODS_WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

export const bodySetting = z.string().max(65_536).nullable();

const expectedStatus = z
  .union([z.number(), z.string()])
  .transform((value, context) => {
    const range = parseExpectedStatus(value);
    if (range) return formatExpectedStatus(range);
    context.addIssue({ code: 'custom', message: 'must be a status code from 100 to 599, or a range like "200-399"' });
    return z.NEVER;
  })
  .meta({ example: '200-399' });

export const expectedStatusSetting = z.array(expectedStatus).min(1).max(50).transform(withoutRepeats);

/** Of a refinement that reports faults beside those of single fields. */
export const isObject = ({ value }: { value: unknown }): boolean => isPlain(value);

/** The fields with faults that are reported already. */
export function faultyFields({ issues }: Pick<z.RefinementCtx, 'issues'>): ReadonlySet<string> {
  return new Set(issues.flatMap(({ path = [] }) => path.slice(0, 1).map(String)));
}

/** @param readable what is checked of an assertion with placeholders in it */
export function assertionsSetting(
  id: string,
  readable: (assertion: Assertion) => Assertion = (assertion) => assertion,
) {
  const assertion = assertionSchema
    .superRefine(
      ({ ...given }, context) => {
        const faulty = faultyFields(context);
        if (faulty.has('source')) return;
        for (const name of faulty) Reflect.deleteProperty(given, name);
        for (const { path, message } of assertionFaults(readable(given)))
          if (!faulty.has(path)) context.addIssue({ code: 'custom', path: [path], message });
      },
      { when: isObject },
    )
    .meta({ ...assertionSchema.meta(), id });
  return z.array(assertion).max(MOST_ASSERTIONS);
}

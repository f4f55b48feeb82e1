import { placeholdersOf } from '@watchpost/shared/steps/placeholders';

/** The parts of a step, as far as a body has them, in which placeholders can stand. */
export interface StepTexts {
  url?: string | null | undefined;
  headers?: Readonly<Record<string, unknown>> | undefined;
  body?: string | null | undefined;
  assertions?: readonly { target?: unknown }[] | undefined;
}

/** The texts of a step in which placeholders are filled, by their path in it. */
export function textsOf({ url, headers = {}, body, assertions = [] }: StepTexts): { path: string; text: string }[] {
  const targets = assertions.flatMap(({ target }, at): [string, unknown][] =>
    Array.isArray(target)
      ? target.map((each, index): [string, unknown] => [`assertions.${at}.target.${index}`, each])
      : [[`assertions.${at}.target`, target]],
  );
  const texts: [string, unknown][] = [
    ['url', url],
    ...Object.entries(headers).map(([name, value]): [string, unknown] => [`headers.${name}`, value]),
    ['body', body],
    ...targets,
  ];
  return texts.flatMap(([path, text]) => (typeof text === 'string' ? [{ path, text }] : []));
}

export function namesUsedBy(step: StepTexts): Set<string> {
  return new Set(textsOf(step).flatMap(({ text }) => placeholdersOf(text).map(({ name }) => name)));
}

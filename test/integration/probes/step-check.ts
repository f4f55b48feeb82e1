import { httpCheck, type Extraction, type HttpStep } from '@watchpost/shared/checks/http';

export function step(name: string, url: string, options: Partial<HttpStep> = {}): HttpStep {
  return { ...httpCheck.target.parse({ url, steps: [{ name, url }] }).steps[0]!, ...options };
}

export function extract(name: string, from: Extraction['from'], expression = '', secret = false): Extraction {
  return { name, from, expression, secret };
}

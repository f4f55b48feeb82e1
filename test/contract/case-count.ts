import { expect } from 'chai';
import type { ApiResponse } from '../support/product.js';

let cases = 0;

after(() => void process.stdout.write(`\n  ${cases} cases of the contract\n`));

export function expectStatus(what: string, answer: ApiResponse, status: number): void {
  cases++;
  expect(answer.status, `${what}: ${show(answer)}`).to.equal(status);
}

/** Asserts the status of a refusal, its error code and the shape of its body. */
export function expectFault(what: string, answer: ApiResponse, status: number, ...codes: string[]): void {
  expectStatus(what, answer, status);
  const { error, message, requestId } = answer.body as Record<string, unknown>;
  expect(error, `${what}: ${show(answer)}`).to.be.oneOf(codes);
  expect(message, what).to.be.a('string').and.to.match(/\S/);
  expect(requestId, what).to.equal(answer.headers.get('x-request-id'));
}

/** @returns the fields that a refusal names */
export function pathsIn({ body }: ApiResponse): string[] {
  return ((body as { details?: { path: string }[] }).details ?? []).map(({ path }) => path);
}

export function countCases(more = 1): void {
  cases += more;
}

export function show({ status, body }: ApiResponse): string {
  return `${status} ${JSON.stringify(body)?.slice(0, 600)}`;
}

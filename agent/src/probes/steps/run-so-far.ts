import { randomUUID } from 'node:crypto';
import type { HttpTarget } from '@watchpost/shared/checks/http';
import { createSecretMask, type SecretMask } from '@watchpost/shared/secrets/secret-mask';
import type { Header } from '@watchpost/shared/secrets/secret-values';
import { secretOf, sentSecrets } from '@watchpost/shared/secrets/sent-secrets';
import { cookieAnswers, type ChainAnswer } from '../decide-cookies.js';
import { answersOf, type Visited } from '../http-visit.js';
import type { Extracted } from './extract-values.js';

/** Holds what the requests of a run have had so far: values, cookies, and secrets to be masked. */
export class RunSoFar {
  readonly values: Map<string, string>;
  readonly secretNames: Set<string>;
  answers: readonly ChainAnswer[] = [];
  readonly #secrets: Header[];
  #mask: SecretMask | null | undefined;
  /** The reasons why names have no value, by name. */
  readonly #missing = new Map<string, string>();

  constructor(target: HttpTarget, nowMs: number) {
    this.values = new Map([
      ['now', new Date(nowMs).toISOString()],
      ['timestamp', String(Math.floor(nowMs / 1_000))],
      ['uuid', randomUUID()],
      ...target.variables.map(({ name, value }) => [name, value] as const),
    ]);
    this.secretNames = new Set(target.variables.flatMap(({ name, secret }) => (secret ? [name] : [])));
    this.#secrets = sentSecrets(target);
  }

  get mask(): SecretMask | null {
    return (this.#mask ??= createSecretMask(this.#secrets));
  }

  maskWith(extracted: readonly Extracted[]): SecretMask | null {
    this.hide(extracted.flatMap((one) => ('value' in one && one.secret ? [secretOf(one.value)] : [])));
    return this.mask;
  }

  /** @param source the request, as sentences name it */
  take({ hops, judgement, sent }: Visited, source: string): void {
    this.answers = cookieAnswers([...this.answers, ...answersOf(hops)]);
    const { extracted = [] } = judgement;
    this.hide(sent);
    this.maskWith(extracted);
    for (const one of extracted) {
      this.values.delete(one.name);
      if (one.secret) this.secretNames.add(one.name);
      if ('value' in one) this.values.set(one.name, one.value);
      else this.#missing.set(one.name, `${source} did not give it, because ${one.why}`);
    }
  }

  /** The reason why a name has no value, within a sentence. */
  whyMissing(name: string): string {
    return this.#missing.get(name) ?? 'no earlier request of the check gave it';
  }

  /** Adds headers, of which those with secrets are masked. */
  hide(secrets: readonly Header[]): void {
    if (secrets.length === 0) return;
    this.#secrets.push(...secrets);
    this.#mask = undefined;
  }
}

import type { ProbeTarget } from '../check.js';
import type { HttpTarget } from '../checks/http.js';
import { createSecretMask, type SecretMask } from './secret-mask.js';
import { AUTH_SECRETS } from './secret-header.js';
import type { Header } from './secret-values.js';

/** Masks what a check sends to its target and nobody else may see; null where it sends no secrets. */
export function sentSecretsMask(target: ProbeTarget | { kind: 'unsupported' }): SecretMask | null {
  return createSecretMask(sentSecrets(target));
}

/** The headers, sign-ins and variables of steps that a check sends, among them all secrets. */
export function sentSecrets(target: ProbeTarget | { kind: 'unsupported' }): Header[] {
  if (!('headers' in target)) return [];
  if (target.kind !== 'http') return [...target.headers];
  const { variables, steps } = target;
  return [
    ...secretsOf(target),
    ...steps.flatMap(secretsOf),
    ...variables.flatMap(({ value, secret }) => (secret ? [secretOf(value)] : [])),
  ];
}

/** A secret by itself, as if a header had it. */
export function secretOf(value: string): Header {
  return { name: 'secret', value };
}

function secretsOf({ headers, auth }: Pick<HttpTarget, 'headers' | 'auth'>): Header[] {
  const fields = Object.entries<unknown>({ ...auth });
  return [
    ...headers,
    ...authorizationOf(auth),
    ...fields.flatMap(([name, value]) => (AUTH_SECRETS.has(name) ? [secretOf(String(value))] : [])),
  ];
}

/** Every request to the origin of the monitor carries these headers. */
export function authorizationOf(auth: HttpTarget['auth'] | undefined): Header[] {
  switch (auth?.type) {
    case 'basic': {
      const pair = Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
      return [{ name: 'Authorization', value: `Basic ${pair}` }];
    }
    case 'bearer':
      return [{ name: 'Authorization', value: `Bearer ${auth.token}` }];
    default:
      return [];
  }
}

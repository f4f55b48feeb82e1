import type { ProbeTarget } from '../check.js';
import { AUTH_SECRETS } from '../checks/http-auth.js';
import { createSecretMask, type SecretMask } from './secret-mask.js';
import type { Header } from './secret-values.js';

/** Masks what a check sends to its target and nobody else may see; null where it sends no secrets. */
export function sentSecretsMask(target: ProbeTarget | { kind: 'unsupported' }): SecretMask | null {
  if (!('headers' in target)) return null;
  const auth = Object.entries(('auth' in target && target.auth) || {}).flatMap(([name, value]): Header[] =>
    AUTH_SECRETS.has(name) ? [{ name, value: String(value) }] : [],
  );
  return createSecretMask([...target.headers, ...auth]);
}

import { isOnlyPlaceholders } from '../steps/placeholders.js';

/** Names of headers with secret values, in monitors, webhooks and responses that repeat them. */
const SECRET_HEADER = /^(?:authorization|cookie)$|token|secret|key|auth|password|session|signature/i;

export function isSecretHeader(name: string): boolean {
  return SECRET_HEADER.test(name);
}

export const MASK = '***';

/** The fields of a sign-in that are secrets. */
export const AUTH_SECRETS: ReadonlySet<string> = new Set(['password', 'token', 'clientSecret', 'key']);

/** Decides whether a value in the settings of a monitor is a secret, by its path: `['http', 'auth', 'password']`. */
export function isSecretSetting(path: readonly string[], value: string): boolean {
  const [within, name = ''] = path.slice(-2);
  if (within === 'auth') return AUTH_SECRETS.has(name);
  if (within === 'headers' || within === 'metadata') return isSecretHeader(name) && !isOnlyPlaceholders(value);
  return name === 'secret';
}

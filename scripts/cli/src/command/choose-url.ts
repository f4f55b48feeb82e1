import { isLoopbackHost } from '@watchpost/shared/loopback';
import { parseUrl } from '@watchpost/shared/parse-url';
import type { Environment } from '../config.js';
import type { Settings } from '../settings/settings-store.js';
import { CommandError, usageError } from './command-error.js';

/** The address of the installation: from the option, the environment or the last sign-in, in this order. */
export function chooseBaseUrl(option: string | undefined, environment: Environment, settings: Settings): string {
  const text = option ?? environment.url ?? settings.url;
  if (text === null || text === undefined) {
    throw new CommandError('It is not known which Watchpost to call.', {
      code: 'no_url',
      nextStep: 'Name its address with `--url` or WATCHPOST_URL, or sign in with `watchpost login --url ADDRESS`.',
    });
  }
  return readBaseUrl(text);
}

/** @returns the address without a slash at the end @throws usage error where it is none */
export function readBaseUrl(text: string): string {
  const url = parseUrl(text);
  if (url && (url.username !== '' || url.password !== ''))
    throw usageError(
      'An address has no user name and no password.',
      'Sign in with `watchpost login`, or set WATCHPOST_API_KEY.',
    );
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '')
    throw usageError(`${JSON.stringify(text)} is no address like https://watchpost.example.`);
  return url.href.replace(/\/+$/, '');
}

/** Whether what is sent there can be read on the way. */
export function isExposed(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && !isLoopbackHost(hostname);
}

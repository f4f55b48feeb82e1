import { isIP } from 'node:net';
import { durationWords, formatDuration } from '@watchpost/shared/duration';
import type { Fields } from '../../import/rows.js';
import { flagOf, jsonOf, numberOf, type Row, textOf } from '../../import/rows.js';

const SECOND_MS = 1_000;
const LEAST_INTERVAL_S = 60;
const MOST_INTERVAL_S = 3_600;
const LEAST_TIMEOUT_S = 5;
const MOST_TIMEOUT_S = 60;
const MOST_CHECKS_BEFORE_ALERT = 10;
/** Uptime Kuma waits for 80 % of the interval where nothing else was chosen, 48 s for its usual interval. */
const OWN_TIMEOUT_SHARE = 0.8;
const OWN_TIMEOUT_S = 48;

const MOST_SHOWN_S = 100 * 365 * 86_400;

export const secondsText = (seconds: number): string => formatDuration(Math.round(seconds) * SECOND_MS);

/** A time of the installation in words; it can be any number. */
export function secondsWords(seconds: number): string {
  if (seconds < 0) return 'less than nothing';
  if (seconds > MOST_SHOWN_S) return 'more than 100 years';
  return Number.isInteger(seconds) ? durationWords(seconds * SECOND_MS) : `${seconds} seconds`;
}

/** A time in whole seconds within bounds, which a difference names where it was another one. */
export function boundedSeconds(
  wanted: number,
  least: number,
  most: number,
  what: string,
  differences: string[],
): number {
  const seconds = Math.min(Math.max(Math.round(wanted), least), most);
  const [now, before, from, to] = [seconds, wanted, least, most].map(secondsWords);
  if (seconds !== wanted) differences.push(`${what} ${now} instead of ${before} (${from} to ${to})`);
  return seconds;
}

/** A whole number within bounds, which a difference names where it was another one. */
export function boundedNumber(
  wanted: number,
  least: number,
  most: number,
  what: string,
  differences: string[],
): number {
  const number = Math.min(Math.max(Math.round(wanted), least), most);
  if (number !== wanted) differences.push(`sends ${number} ${what} instead of ${wanted} (${least} to ${most})`);
  return number;
}

/** What a type of monitor adds to the document, or why it cannot be taken over. */
export type Converted =
  | {
      fields: Fields;
      /** What is different here, as ends of sentences. */
      differences: string[];
      /** The check would fail where it is fine in Uptime Kuma, so it must not run before somebody has looked at it. */
      isWrong?: boolean;
    }
  | { untaken: string };

export function scheduleFields(row: Row): { fields: Fields; differences: string[]; hasOwnTimeout: boolean } {
  const differences: string[] = [];
  const interval = numberOf(row, 'interval') ?? LEAST_INTERVAL_S;
  const intervalS = boundedSeconds(interval, LEAST_INTERVAL_S, MOST_INTERVAL_S, 'is checked every', differences);
  const checks = Math.max(0, numberOf(row, 'maxretries') ?? 0) + 1;
  const checksBeforeAlert = Math.min(checks, MOST_CHECKS_BEFORE_ALERT);
  if (checksBeforeAlert !== checks) differences.push(`alerts after ${checksBeforeAlert} failures instead of ${checks}`);
  const retryInterval = numberOf(row, 'retry_interval') ?? 0;
  if (checks > 1 && retryInterval > 0 && retryInterval !== interval)
    differences.push(`repeats failed checks at its interval instead of every ${secondsWords(retryInterval)}`);
  const fields: Fields = { checkInterval: secondsText(intervalS), numberOfChecksBeforeAlert: checksBeforeAlert };
  const timeout = numberOf(row, 'timeout') ?? 0;
  const hasOwnTimeout = isOwnTimeout(timeout, interval);
  if (!hasOwnTimeout) {
    const timeoutS = boundedSeconds(timeout, LEAST_TIMEOUT_S, MOST_TIMEOUT_S, 'waits', differences);
    fields['checkTimeout'] = secondsText(timeoutS);
  }
  return { fields, differences, hasOwnTimeout };
}

function isOwnTimeout(timeout: number, interval: number): boolean {
  return timeout <= 0 || timeout === OWN_TIMEOUT_S || Math.abs(timeout - interval * OWN_TIMEOUT_SHARE) <= 0.5;
}

/** The types of checks whose address family is taken over. */
const WITH_FAMILY = new Set(['http', 'keyword', 'json-query', 'real-browser', 'port']);

/** The address family of a check of this host; an address has only its own. */
export function familyFields(row: Row, host: string): Fields {
  const family = textOf(row, 'ip_family');
  const isName = isIP(host.replace(/^\[|\]$/g, '')) === 0;
  return isName && (family === 'ipv4' || family === 'ipv6') ? { addresses: family } : {};
}

/** Settings of any type that have no counterpart here. */
export function commonDifferences(row: Row, type: string): string[] {
  const differences: string[] = [];
  if (textOf(row, 'description') !== null) differences.push('its description is not kept');
  const resend = numberOf(row, 'resend_interval') ?? 0;
  if (resend > 0) differences.push(`does not repeat notifications every ${resend} checks: page people on call instead`);
  const family = textOf(row, 'ip_family');
  if (family !== null && !WITH_FAMILY.has(type))
    differences.push(`chooses the IP version by itself instead of ${family}`);
  const conditions = jsonOf(row, 'conditions');
  if (type !== 'dns' && Array.isArray(conditions) && conditions.length > 0)
    differences.push('its conditions are not checked');
  return differences;
}

/** Settings of HTTP checks alone that have no counterpart here. */
export function httpDifferences(row: Row): string[] {
  const differences: string[] = [];
  if (flagOf(row, 'cache_bust')) differences.push('adds no random parameter against caches');
  if (flagOf(row, 'save_response')) differences.push('keeps answers of failed checks only, as evidence');
  return differences;
}

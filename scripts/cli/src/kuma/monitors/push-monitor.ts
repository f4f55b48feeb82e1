import type { Fields } from '../../import/rows.js';
import { numberOf, type Row, textOf } from '../../import/rows.js';
import type { Secrets } from '../../import/names.js';
import { boundedSeconds, type Converted, secondsText } from './check-fields.js';

const LEAST_S = 60;
const MOST_EVERY_S = 31 * 86_400;
const MOST_GRACE_S = 86_400;
/** As the control plane takes imported tokens. */
const TOKEN = /^[A-Za-z0-9_-]{10,100}$/;

/**
 * A job that reports by itself becomes a heartbeat, whose push address goes on working.
 * @param tokens those that other monitors of the file have already
 */
export function convertPush(row: Row, key: string, secrets: Secrets, tokens: Set<string>): Converted {
  const differences: string[] = [];
  const interval = numberOf(row, 'interval') ?? LEAST_S;
  const everyS = boundedSeconds(interval, LEAST_S, MOST_EVERY_S, 'is expected every', differences);
  const retryInterval = numberOf(row, 'retry_interval') || interval;
  const wanted = Math.max(0, numberOf(row, 'maxretries') ?? 0) * retryInterval;
  const graceS = boundedSeconds(wanted, LEAST_S, MOST_GRACE_S, 'may be late by', differences);
  const heartbeat: Fields = { every: secondsText(everyS), grace: secondsText(graceS) };
  const token = textOf(row, 'push_token');
  if (token === null) differences.push('has no push address: the job calls the ping URL that it gets here');
  else if (!TOKEN.test(token))
    differences.push('its push address does not go on working: the token needs 10 to 100 letters and digits');
  else if (tokens.has(token)) differences.push('its push address leads to another monitor of the file');
  else {
    tokens.add(token);
    heartbeat['importedToken'] = secrets.keep(`${key} push token`, token);
  }
  return { fields: { monitorTypes: ['Heartbeat'], heartbeat }, differences };
}

import { parseUrl } from '@watchpost/shared/parse-url';
import { isIP } from 'node:net';
import { numberOf, type Row, textOf } from '../installation.js';
import { boundedNumber, type Converted } from './check-fields.js';

/** A check that a host answers echo requests. */
export function convertPing(row: Row): Converted {
  const hostname = textOf(row, 'hostname');
  const url = hostname !== null && isIP(hostname) === 6 ? `[${hostname}]` : hostname;
  if (url === null || (url === hostname && /[\s/:?#@\\]/.test(url)) || !parseUrl(`http://${url}/`))
    return { untaken: 'it has no host name or address' };
  const differences: string[] = [];
  const count = boundedNumber(numberOf(row, 'ping_count') ?? 1, 1, 20, 'packets', differences);
  const size = boundedNumber(numberOf(row, 'packet_size') ?? 56, 16, 1_400, 'bytes a packet', differences);
  if (textOf(row, 'ip_family') !== null) differences.push('takes the first address of the name, of either IP version');
  return { fields: { url: hostname, monitorTypes: ['Ping'], ping: { count, size } }, differences };
}

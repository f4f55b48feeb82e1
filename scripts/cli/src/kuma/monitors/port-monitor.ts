import { isIP } from 'node:net';
import { parseUrl } from '@watchpost/shared/parse-url';
import { numberOf, type Row, textOf } from '../../import/rows.js';
import { type Converted, familyFields, boundedNumber } from './check-fields.js';

const MOST_PORT = 65_535;

export function convertPort(row: Row): Converted {
  const hostname = textOf(row, 'hostname');
  const port = numberOf(row, 'port') ?? 0;
  if (!Number.isInteger(port) || port < 1 || port > MOST_PORT) return { untaken: 'it has no port from 1 to 65535' };
  const url = `tcp://${hostname !== null && isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`;
  if (hostname === null || /[\s/?#@\\]/.test(hostname) || !parseUrl(url))
    return { untaken: 'it has no host name or address' };
  const security = textOf(row, 'smtp_security');
  const differences =
    security === null || security === 'none' ? [] : [`is connected to without TLS instead of with ${security}`];
  if (textOf(row, 'expected_tls_alert') !== null) differences.push('does not look for an alert of TLS');
  const tcpUdp = familyFields(row, hostname);
  return {
    fields: { url, monitorTypes: ['TcpUdp'], ...(Object.keys(tcpUdp).length > 0 ? { tcpUdp } : {}) },
    differences,
  };
}

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

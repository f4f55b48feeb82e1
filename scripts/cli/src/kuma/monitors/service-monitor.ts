import type { ScriptPreset } from '@watchpost/shared/checks/tcp-script';
import { parseUrl } from '@watchpost/shared/parse-url';
import { isIP } from 'node:net';
import { numberOf, type Row, textOf } from '../../import/rows.js';
import type { Converted } from './check-fields.js';

/** The services whose greeting a preset checks, by their types in Uptime Kuma. */
const SERVICES: ReadonlyMap<string, { preset: ScriptPreset; port: number }> = new Map([
  ['smtp', { preset: 'smtp', port: 25 }],
  ['mqtt', { preset: 'mqtt', port: 1883 }],
  ['redis', { preset: 'redis', port: 6379 }],
  ['postgres', { preset: 'postgres', port: 5432 }],
  ['mysql', { preset: 'mysql', port: 3306 }],
]);

/** A check that a service greets as its protocol requires; nothing signs in here. @returns undefined for other types */
export function convertService(row: Row, type: string): Converted | undefined {
  const service = SERVICES.get(type);
  if (!service) return undefined;
  const place = placeOf(row);
  const port = place?.port ?? service.port;
  const url = `tcp://${place?.host}:${port}`;
  if (!place || /[\s/?#@\\]/.test(place.host) || !parseUrl(url) || port < 1 || port > 65_535)
    return { untaken: 'it names no host and port without TLS' };
  const has = (...columns: string[]) => columns.some((column) => textOf(row, column) !== null);
  const differences = has('database_connection_string', 'mqtt_username', 'mqtt_password', 'mqtt_topic')
    ? ['is greeted only: it does not sign in, and asks for nothing']
    : [];
  const security = textOf(row, 'smtp_security');
  if (security !== null && security !== 'none') differences.push(`greets without checking ${security}`);
  return { fields: { url, monitorTypes: ['TcpUdp'], tcpUdp: { preset: service.preset } }, differences };
}

/** Of the fields for both, or of a connection string, whose user and password are left out. */
function placeOf(row: Row): { host: string; port: number | null } | undefined {
  const hostname = textOf(row, 'hostname')?.replace(/^mqtt:\/\//, '') ?? null;
  if (hostname !== null)
    return { host: isIP(hostname) === 6 ? `[${hostname}]` : hostname, port: numberOf(row, 'port') };
  const { hostname: host = '', port = '', protocol } = parseUrl(textOf(row, 'database_connection_string') ?? '') ?? {};
  if (host === '' || protocol === 'rediss:') return undefined;
  return { host, port: port === '' ? null : Number(port) };
}

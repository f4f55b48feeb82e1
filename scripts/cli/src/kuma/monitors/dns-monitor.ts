import { isIP } from 'node:net';
import { jsonOf, numberOf, type Row, textOf } from '../../import/rows.js';
import type { Converted } from './check-fields.js';
import type { Fields } from '../../import/rows.js';

const RECORD_TYPES = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'PTR', 'SOA', 'SRV', 'TXT'];
const MOST_RESOLVERS = 5;
const MOST_VALUE = 512;
const DNS_PORT = 53;

export function convertDns(row: Row): Converted {
  const recordType = textOf(row, 'dns_resolve_type') ?? 'A';
  const host = textOf(row, 'hostname');
  const hostname = recordType === 'PTR' && host !== null ? (reverseName(host) ?? host) : host;
  if (hostname === null || isIP(hostname) !== 0 || /[\s/:?#@\\]/.test(hostname))
    return { untaken: 'it has no host name to look up' };
  if (!RECORD_TYPES.includes(recordType))
    return { untaken: `it looks up ${recordType} records; ${RECORD_TYPES.join(', ')} are checked here` };
  const differences: string[] = [];
  const dns: Fields = { recordTypes: [recordType], checkPropagation: false };
  const resolvers = resolversOf(row);
  if (resolvers.length > MOST_RESOLVERS)
    differences.push(`asks the first ${MOST_RESOLVERS} of its ${resolvers.length} resolvers`);
  if (resolvers.length > 0) dns['resolvers'] = resolvers.slice(0, MOST_RESOLVERS);
  const conditions = jsonOf(row, 'conditions');
  if (Array.isArray(conditions) && conditions.length > 0) {
    const values = anyOf(conditions, recordType);
    if (values === undefined)
      differences.push('its conditions are not checked: only that one of several values is there can be');
    else dns['expectedRecords'] = { [recordType]: { match: 'any', values } };
  }
  differences.push('notifies when its records change, too');
  return { fields: { url: hostname, monitorTypes: ['Dns'], dns }, differences };
}

/** The name that has the PTR records of an IPv4 address; null for all else. */
function reverseName(host: string): string | null {
  return isIP(host) === 4 ? `${host.split('.').toReversed().join('.')}.in-addr.arpa` : null;
}

function resolversOf(row: Row): string[] {
  const port = numberOf(row, 'port') ?? DNS_PORT;
  const servers = (textOf(row, 'dns_resolve_server') ?? '').split(',').map((server) => server.replace(/\s/g, ''));
  const distinct = [...new Set(servers.filter((server) => server !== ''))];
  if (port === DNS_PORT) return distinct;
  return distinct.map((server) => (isIP(server) === 6 ? `[${server}]:${port}` : `${server}:${port}`));
}

/** The values of which one must be there; undefined where the conditions are others. */
function anyOf(conditions: readonly unknown[], recordType: string): string[] | undefined {
  const values = conditions.map((condition: unknown, index) => {
    // It can be anything, also null.
    const { type, variable, operator, value, andOr } = Object(condition) as Record<string, unknown>;
    const isPlain = type === 'expression' && variable === 'record' && operator === 'equals';
    const isJoined = index === 0 || andOr === 'or';
    return isPlain && isJoined && typeof value === 'string' ? (recordType === 'TXT' ? value : value.trim()) : '';
  });
  return values.every((value) => value !== '' && value.length <= MOST_VALUE) && values.length <= 50
    ? [...new Set(values)]
    : undefined;
}

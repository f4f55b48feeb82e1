import { parseUrl } from '@watchpost/shared/parse-url';
import { flagOf, objectOf, type Row, textOf } from '../../import/rows.js';
import type { Secrets } from '../../import/names.js';
import type { Converted } from './check-fields.js';
import { documentHeaders } from '../../import/http-headers.js';

const PLACE = /^(?:\[[^\]\s]+\]|[^\s/?#@\\:[\]]+):(\d{1,5})$/;
const MOST_SERVICE = 512;
/** The answers in which Uptime Kuma looks for the keyword. */
const SERVING = '{"status":"SERVING"}';
const NOT_SERVING = '{"status":"NOT_SERVING"}';

/** A call of a gRPC service, which is checked here if it is the health check of `grpc.health.v1`. */
export function convertGrpc(row: Row, key: string, secrets: Secrets): Converted {
  const place = textOf(row, 'grpc_url') ?? '';
  const port = Number(PLACE.exec(place)?.[1] ?? 0);
  if (port === 0 || !parseUrl(`http://${place}/`)) return { untaken: 'its address is no host and port' };
  const isHealth =
    /^(?:\.?grpc\.health\.v1\.)?Health$/.test(textOf(row, 'grpc_service_name') ?? '') &&
    /\bpackage\s+grpc\.health\.v1\s*;/.test(textOf(row, 'grpc_protobuf') ?? '') &&
    /^check$/i.test(textOf(row, 'grpc_method') ?? '');
  if (!isHealth)
    return { untaken: 'it calls another method than Check of grpc.health.v1.Health, the one that is checked here' };
  const keyword = typeof row['keyword'] === 'string' ? row['keyword'] : '';
  const isFine = (answer: string) => answer.includes(keyword) !== flagOf(row, 'invert_keyword');
  if (!isFine(SERVING)) return { untaken: 'its keyword makes it fail while the service is serving' };
  const { service } = objectOf(row, 'grpc_body') ?? {};
  const name = typeof service === 'string' ? service.trim() : '';
  if (name.length > MOST_SERVICE)
    return { untaken: `the name of its service has more than ${MOST_SERVICE} characters` };
  const given = Object.entries(objectOf(row, 'grpc_metadata') ?? {}).map(
    ([entry, value]) => [entry, typeof value === 'string' ? value : JSON.stringify(value)] as const,
  );
  const { fields: metadata, differences } = documentHeaders(new Map(given), secrets, key);
  if (isFine(NOT_SERVING)) differences.push('is down while the service is not serving, which its keyword ignores');
  const grpc = {
    ...(name === '' ? {} : { service: name }),
    ...(Object.keys(metadata).length > 0 ? { metadata } : {}),
  };
  return {
    fields: {
      url: `${flagOf(row, 'grpc_enable_tls') ? 'grpcs' : 'grpc'}://${place}`,
      monitorTypes: ['Grpc'],
      ...(Object.keys(grpc).length > 0 ? { grpc } : {}),
    },
    differences,
  };
}

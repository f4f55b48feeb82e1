import type { IncomingMessage } from 'node:http';
import { Fault } from '@watchpost/shared/fault';
import { roundedFault, roundedNumber } from '@watchpost/shared/assertions/exact-json';
import { inSlices } from '../../jobs/in-slices.js';
import { excessInJsonText, faultInJsonText } from './fault-in-json-text.js';
import { BODY_LIMIT, readBody } from './read-body.js';

const FORM = 'application/x-www-form-urlencoded';
const decoder = new TextDecoder('utf-8', { fatal: true });

export interface BodyTypes {
  /** `application/merge-patch+json` (RFC 7396) is taken too. */
  mergePatch: boolean;
  /** `application/x-www-form-urlencoded` is taken too: each field becomes a string. */
  forms: boolean;
  /** The largest body, bytes; default 1 MiB. */
  limit?: number | undefined;
}

/**
 * Reads the JSON body of a request.
 * @param onUndrainable called where the connection must close after the answer
 * @returns undefined where there is no body at all
 * @throws Fault `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readJson(
  request: IncomingMessage,
  types: BodyTypes,
  onUndrainable: () => void,
): Promise<unknown> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  const type = requireType(headers['content-type'], headers['content-encoding'], types);
  const bytes = await readBody(request, onUndrainable, types.limit ?? BODY_LIMIT);
  if (bytes.length === 0) return undefined;
  return type === FORM ? parseForm(textOf(bytes)) : parse(textOf(bytes));
}

function textOf(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new Fault('invalid_json', 'The body is not valid UTF-8.');
  }
}

/** Of a field that is there twice the last one counts; one of any name is a field and nothing else. */
function parseForm(text: string): Record<string, string> {
  const fields = Object.create(null) as Record<string, string>;
  for (const [name, value] of new URLSearchParams(text)) fields[name] = value;
  return fields;
}

async function parse(text: string): Promise<unknown> {
  const pause = inSlices();
  const excess = excessInJsonText(text);
  if (excess !== undefined) throw new Fault('invalid_json', excess);
  await pause();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('invalid_json', 'The body is not valid JSON.');
  }
  await pause();
  const rounded = roundedNumber(text);
  if (rounded !== undefined) throw new Fault('invalid_json', `A number ${roundedFault(rounded)}.`);
  const fault = faultInJsonText(text);
  if (fault !== undefined) throw new Fault('invalid_json', fault);
  await pause();
  return value;
}

function requireType(
  contentType: string | undefined,
  contentEncoding: string | undefined,
  { mergePatch, forms }: BodyTypes,
): string {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const typed =
    type === 'application/json' || (mergePatch && type === 'application/merge-patch+json') || (forms && type === FORM);
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (!typed || (charset !== undefined && !/^"?utf-?8"?$/.test(charset))) {
    throw new Fault('unsupported_media_type', 'Send the body as `Content-Type: application/json`, in UTF-8.');
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new Fault('unsupported_media_type', 'Send the body without a `Content-Encoding`.');
  }
  return type;
}

import type { IncomingMessage } from 'node:http';
import { Fault } from '@watchpost/shared/fault';
import { faultInJsonText } from './fault-in-json-text.js';
import { readBody } from './read-body.js';

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Reads the JSON body of a request.
 * @param mergePatch whether `application/merge-patch+json` (RFC 7396) is taken too
 * @param onUndrainable called where the connection must close after the answer
 * @returns undefined where there is no body at all
 * @throws Fault `unsupported_media_type`, `payload_too_large`, `invalid_json`
 */
export async function readJson(
  request: IncomingMessage,
  mergePatch: boolean,
  onUndrainable: () => void,
): Promise<unknown> {
  const { headers } = request;
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
  if (!hasBody) return undefined;
  requireJson(headers['content-type'], headers['content-encoding'], mergePatch);
  const bytes = await readBody(request, onUndrainable);
  return bytes.length === 0 ? undefined : parse(bytes);
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new Fault('invalid_json', 'The body is not valid UTF-8.');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Fault('invalid_json', 'The body is not valid JSON.');
  }
  const fault = faultInJsonText(text);
  if (fault !== undefined) throw new Fault('invalid_json', fault);
  return value;
}

function requireJson(contentType: string | undefined, contentEncoding: string | undefined, mergePatch: boolean): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const typed = type === 'application/json' || (mergePatch && type === 'application/merge-patch+json');
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  if (!typed || (charset !== undefined && !/^"?utf-?8"?$/.test(charset))) {
    throw new Fault('unsupported_media_type', 'Send the body as `Content-Type: application/json`, in UTF-8.');
  }
  if (contentEncoding !== undefined && contentEncoding.toLowerCase() !== 'identity') {
    throw new Fault('unsupported_media_type', 'Send the body without a `Content-Encoding`.');
  }
}

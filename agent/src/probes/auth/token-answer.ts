import { z } from 'zod';
import { cutText } from '@watchpost/shared/storable-text';
import { decodeBody, UnreadableBody } from '../decode-body.js';
import { statusText, type Exchanged } from '../http-exchange.js';
import { printable } from '../printable.js';
import { ProbeFault } from '../probe-fault.js';
import type { AccessToken } from './token-memory.js';

export interface TokenAnswer {
  fault: ProbeFault | null;
  exchanged: Exchanged | null;
}

const MOST_TOKEN_BYTES = 16 * 1024;
const MOST_ERROR_CHARS = 150;
/** Without a lifetime, a token is kept until the target refuses it, this long at most. */
const USUAL_SECONDS = 3_600;
const MOST_SECONDS = 86_400;

// Some servers state the lifetime as a text.
const success = z.object({
  access_token: z.string().regex(/^[!-~]+$/),
  token_type: z.string().optional(),
  expires_in: z.coerce.number().min(0).catch(USUAL_SECONDS),
});
const failure = z.object({ error: z.string(), error_description: z.string().optional().catch(undefined) });

/** Decides whether the server refuses the way in which the client names itself (RFC 6749 §5.2). */
export function isClientUnknown({ fault, exchanged }: TokenAnswer): boolean {
  const statusCode = fault === null ? exchanged?.head?.statusCode : undefined;
  if (statusCode !== 400 && statusCode !== 401) return false;
  const error = failure.safeParse(jsonOf(rawText(exchanged!))).data?.error;
  return error === 'invalid_client' || (error === undefined && statusCode === 401);
}

/** @param endpoint as sentences name it */
export async function readToken(
  { fault, exchanged }: TokenAnswer,
  endpoint: string,
  nowMs: number,
): Promise<AccessToken | ProbeFault> {
  if (fault?.isAgentFault) return fault;
  if (fault) return new ProbeFault('token_unusable', { endpoint, why: messageOf(fault) }, fault);
  const { head, body, cut } = exchanged!;
  const unusable = (why: string) => new ProbeFault('token_unusable', { endpoint, why });
  if (head!.statusCode < 200 || head!.statusCode > 299) {
    const { error, error_description: description } = failure.safeParse(jsonOf(rawText(exchanged!))).data ?? {};
    const words = [error, description].filter((part) => part !== undefined).join(': ');
    const shown = words === '' ? '' : ` (${printable(cutText(words, MOST_ERROR_CHARS))})`;
    return new ProbeFault('token_refused', { endpoint, status: statusText(head!.statusCode), error: shown });
  }
  const decoded = await decodeBody(body, head!, MOST_TOKEN_BYTES + 1);
  if (decoded instanceof UnreadableBody) return unusable(`its answer is not valid ${decoded.coding} data`);
  if (cut || decoded.bytes.length > MOST_TOKEN_BYTES)
    return unusable(`its answer is larger than ${MOST_TOKEN_BYTES / 1024} KiB`);
  const json = jsonOf(decoded.bytes.toString());
  if (json === undefined) return unusable('its answer is not JSON');
  const { data } = success.safeParse(json);
  if (!data) return unusable('its answer has no usable `access_token`');
  const type = data.token_type ?? 'Bearer';
  if (type.toLowerCase() !== 'bearer')
    return unusable(`its token is of the type “${printable(cutText(type, 40))}”, not Bearer`);
  return { value: data.access_token, expiresMs: nowMs + Math.min(data.expires_in, MOST_SECONDS) * 1_000 };
}

function messageOf(fault: ProbeFault): string {
  const outcome = fault.toOutcome();
  return outcome.kind === 'up' ? '' : outcome.message.replace(/\.$/, '');
}

function rawText({ body }: Exchanged): string {
  return Buffer.concat(body).toString();
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

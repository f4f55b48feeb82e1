import type { Context } from 'koa';
import { Fault } from '@watchpost/shared/fault';
import { readBody } from '../../platform/http/reading/read-body.js';

const MAX_FORM_BYTES = 16_384;

/** The fields of a posted HTML form; null where it is none, or too large. */
export async function readForm(ctx: Context): Promise<URLSearchParams | null> {
  if (!ctx.is('application/x-www-form-urlencoded')) return null;
  try {
    const bytes = await readBody(ctx.req, () => ctx.set('Connection', 'close'), MAX_FORM_BYTES);
    return new URLSearchParams(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

import type { IncomingMessage } from 'node:http';
import { Fault } from '@watchpost/shared/fault';
import { isUuid } from '@watchpost/shared/id';

/** Ways in which a request may name its workspace; the ids are well-formed UUIDs. */
export interface NamedWorkspace {
  /** From the path: a caller who is no member gets 404. */
  pathId?: string;
  /** From `X-Workspace-Id`. */
  headerId?: string;
  /** From the cookie `workspace_id`. */
  cookieId?: string;
  /** The request was resolved to this workspace before: its use is not recorded again. */
  isRepeat?: boolean;
}

/** RFC 6750 §2.1 `b64token`. */
const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The bearer token of a request, from its one `Authorization` header.
 * @throws Fault `missing_token` without one, `invalid_token` for one that cannot be a token, or several
 */
export function readBearerToken(request: IncomingMessage): string {
  const header = request.headers.authorization?.trim();
  if (header === undefined || !/^Bearer(?: |$)/i.test(header)) {
    throw new Fault('missing_token', 'Send an access token as `Authorization: Bearer …`.');
  }
  // Node keeps the first of several such headers; which one the caller meant is not ours to guess.
  if ((request.headersDistinct.authorization?.length ?? 0) > 1) {
    throw new Fault('invalid_token', 'Send exactly one `Authorization` header.');
  }
  const token = BEARER.exec(header)?.[1];
  if (token === undefined)
    throw new Fault('invalid_token', 'The `Authorization` header holds no well-formed bearer token.');
  return token;
}

/**
 * How a request names its workspace, apart from the path.
 * @throws Fault `no_workspace_context` where `X-Workspace-Id` cannot be an id
 */
export function readNamedWorkspace(request: IncomingMessage): NamedWorkspace {
  const headerId = request.headers['x-workspace-id'];
  if (headerId !== undefined) {
    if (typeof headerId === 'string' && isUuid(headerId)) return { headerId: headerId.toLowerCase() };
    throw new Fault('no_workspace_context', 'Send the id of one of your workspaces as `X-Workspace-Id`.');
  }
  const cookieId = readCookie(request.headers.cookie, 'workspace_id');
  return cookieId !== undefined && isUuid(cookieId) ? { cookieId: cookieId.toLowerCase() } : {};
}

/** The first cookie of that name in a `Cookie` header. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(';') ?? []) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name) return value?.trim().replace(/^"(.*)"$/, '$1');
  }
  return undefined;
}

import type { Clock } from '@watchpost/shared/clock';
import { beyondMost, Fault, invalidField, notFound, found } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import { DAY_MS } from '@watchpost/shared/time';
import { MASK } from '@watchpost/shared/secrets/secret-header';
import type { Database, ListPage, Rows, Tx } from '../../platform/db/database.js';
import type { Scope } from '../../platform/http/scopes.js';
import { scopesAllow } from '../../platform/http/scopes.js';
import { viewOf } from '../../platform/http/view-of.js';
import { type Actor, roleAllows } from '../../platform/identity/caller.js';
import { type AuditedChange, type ChangeAuthor, recordAudit } from '../audit/index.js';
import { lockWorkspaceAs } from '../workspaces/index.js';
import { type ApiKey, type ApiKeyInput, apiKeySchema, DEFAULT_DAYS } from './api-key-schemas.js';
import { anyApiKeyStore, type ApiKeyRow, apiKeyStore } from './api-key-store.js';
import { makeApiKey } from './api-key-text.js';

export interface ApiKeyDeps {
  db: Database;
  clock: Clock;
}

/** Keys of one member that have not expired. */
export const MAX_LIVE_KEYS = 50;
/** An expired key is listed for this time, so that its owner sees why it is refused. */
export const EXPIRED_DAYS = 30;
/** Of a member's expired keys, these many are still listed. */
const MAX_EXPIRED_KEYS = 50;
const PURGE_BATCH = 1_000;

/**
 * Creates a key for the caller in this workspace. Only this answer contains it.
 * @throws Fault `insufficient_scope` where it would permit more than the caller may, `validation_failed`,
 *   `plan_limit_exceeded`, `not_found`
 */
export async function createApiKey(
  deps: ApiKeyDeps,
  actor: Actor,
  { name, scopes, expiresAt }: ApiKeyInput,
): Promise<ApiKey & { key: string }> {
  const { workspaceId } = actor.workspace;
  const nowMs = deps.clock.now();
  if (typeof expiresAt === 'number' && expiresAt <= nowMs) throw invalidField('expiresAt', 'must lie in the future');
  const missing = scopes.filter((scope) => !scopesAllow(actor.caller.scopes, [scope]));
  if (missing.length > 0) {
    const message = `A key permits no more than the token that creates it, and yours lacks ${missing.join(', ')}.`;
    throw new Fault('insufficient_scope', message);
  }
  const endsMs = expiresAt === undefined ? nowMs + DEFAULT_DAYS * DAY_MS : expiresAt;
  const { key, prefix, hash } = makeApiKey();
  const created = new Date(nowMs);
  const row = { id: newId(nowMs), name, prefix, scopes, created, expiresAt: endsMs === null ? null : new Date(endsMs) };
  await deps.db.transaction(async (tx) => {
    const { self } = await lockWorkspaceAs(tx, actor, 'Viewer');
    if ((await apiKeyStore.ofMember(workspaceId, tx, self.id, created)).length >= MAX_LIVE_KEYS) {
      const message = `You have ${MAX_LIVE_KEYS} API keys in this workspace, the most there may be: revoke one first.`;
      throw beyondMost('apiKeys', MAX_LIVE_KEYS, message);
    }
    await apiKeyStore.removeExpired(workspaceId, tx, self.id, created, MAX_EXPIRED_KEYS);
    if (!(await apiKeyStore.insert(workspaceId, tx, { ...row, memberId: self.id, hash }))) throw notFound('workspace');
    await recordAudit(deps, tx, actor, auditedChange(workspaceId, { ...row, userId: self.userId }, 'created'));
  });
  return { ...describeApiKey({ ...row, lastUsedAt: null }), key };
}

/**
 * The caller's keys in this workspace, newest first; with `all` those of every member, for an Admin.
 * @throws Fault `insufficient_workspace_role`
 */
export async function listApiKeys(
  deps: ApiKeyDeps,
  { workspace }: Actor,
  { all }: { all: boolean },
  page: Rows,
): Promise<ListPage<ApiKey>> {
  const { workspaceId, memberId, role } = workspace;
  if (all && !roleAllows(role, 'Admin')) {
    const message = `The keys of all members are listed for the role Admin; yours in this workspace is ${role}.`;
    throw new Fault('insufficient_workspace_role', message);
  }
  const { items: rows, total } = await deps.db.read((tx) =>
    apiKeyStore.page(workspaceId, tx, all ? null : memberId, page),
  );
  const items = rows.map((row) => ({
    ...describeApiKey(row),
    ...(all ? { owner: { userId: row.userId, name: row.userName } } : {}),
  }));
  return { items, total };
}

/**
 * Revokes a key: the caller's own, or any of the workspace for an Admin. Every process refuses it within 5 s.
 * @throws Fault `not_found`, `precondition_failed`
 */
export async function revokeApiKey(deps: ApiKeyDeps, actor: Actor, id: string): Promise<void> {
  const { workspaceId, memberId, role } = actor.workspace;
  await deps.db.transaction(async (tx) => {
    const row = found(
      await apiKeyStore.find(workspaceId, tx, roleAllows(role, 'Admin') ? null : memberId, id),
      'API key',
    );
    actor.checkPrecondition?.(steadyPart(describeApiKey(row)));
    if (!(await apiKeyStore.remove(workspaceId, tx, id))) throw notFound('API key');
    await recordAudit(deps, tx, actor, auditedChange(workspaceId, row, 'revoked'));
  });
}

/** Revokes the keys of a member in the transaction that ends the membership. */
export async function revokeKeysOfMember(
  deps: { clock: Clock },
  tx: Tx,
  by: ChangeAuthor,
  { workspaceId, memberId }: { workspaceId: string; memberId: string },
): Promise<void> {
  const live = await apiKeyStore.ofMember(workspaceId, tx, memberId, new Date(deps.clock.now()));
  await apiKeyStore.removeOfMember(workspaceId, tx, memberId);
  await recordAudit(deps, tx, by, ...live.map((row) => auditedChange(workspaceId, row, 'revoked')));
}

/** Deletes keys that expired 30 days ago. */
export async function purgeApiKeys({ db, clock }: ApiKeyDeps): Promise<void> {
  const before = new Date(clock.now() - EXPIRED_DAYS * DAY_MS);
  while ((await db.transaction((tx) => anyApiKeyStore.purge(tx, before, PURGE_BATCH))) === PURGE_BATCH);
}

export type SteadyApiKey = Omit<ApiKey, 'lastUsedAt' | 'owner'>;

/** The part of a key that its ETag covers: all but its last use. */
export function steadyPart({ id, name, prefix, scopes, created, expiresAt }: ApiKey): SteadyApiKey {
  return { id, name, prefix, scopes, created, expiresAt };
}

type Described = Omit<ApiKeyRow, 'userId' | 'userName'>;

function describeApiKey(row: Described): ApiKey {
  return viewOf(apiKeySchema, { ...row, scopes: row.scopes as Scope[] });
}

function auditedChange(
  workspaceId: string,
  { id, name, prefix, scopes, expiresAt, userId }: Omit<Described, 'created' | 'lastUsedAt'> & { userId: string },
  verb: 'created' | 'revoked',
): AuditedChange {
  const fields = { userId, name, prefix, scopes, expiresAt: expiresAt?.toISOString() ?? null, key: MASK };
  return {
    workspaceId,
    action: `api_key.${verb}`,
    target: { id, name },
    before: verb === 'revoked' ? fields : null,
    after: verb === 'created' ? fields : null,
  };
}

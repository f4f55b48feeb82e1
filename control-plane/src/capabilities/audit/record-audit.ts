import type { Clock } from '@watchpost/shared/clock';
import { newId } from '@watchpost/shared/id';
import type { Tx } from '../../platform/db/database.js';
import type { ActingOutsider, Actor, Caller, Via } from '../../platform/identity/caller.js';
import { inSlices } from '../../platform/jobs/in-slices.js';
import type { AuditAction } from './audit-actions.js';
import { auditStore, type NewEntry } from './audit-store.js';
import { decideChanges } from './decide-changes.js';

/** The author of a change: a person with a token or link, a program with an API key, the operator by a command, the workspace's mapping of roles, or the service itself. */
export type ChangeAuthor =
  | { caller: Pick<Caller, 'userId'> & Partial<Pick<Caller, 'credential'>>; via: Via }
  | 'operator'
  | 'roleMapping'
  | 'system';

/** A change in the workspace of its author. */
export interface OwnChange {
  action: AuditAction;
  target: {
    id: string;
    name: string | null;
    /** Set where the target is a person, whose name is stored with the account. */
    userId?: string;
  };
  /** The representation in REST, with masked secrets; null or absent for a created thing. */
  before?: object | null;
  /** null or absent for a deleted thing. */
  after?: object | null;
  /** Fields whose secrets changed although both representations show the same. */
  secrets?: readonly string[];
}

export interface AuditedChange extends OwnChange {
  workspaceId: string;
}

interface Deps {
  clock: Clock;
}

/** Writes one entry for each change in the transaction that makes it. A change without a difference is left out. */
export function recordAudit(deps: Deps, tx: Tx, author: Actor, ...changes: readonly OwnChange[]): Promise<void>;
export function recordAudit(
  deps: Deps,
  tx: Tx,
  author: ChangeAuthor | ActingOutsider,
  ...changes: readonly AuditedChange[]
): Promise<void>;
export async function recordAudit(
  { clock }: Deps,
  tx: Tx,
  author: ChangeAuthor | ActingOutsider | Actor,
  ...changes: readonly (OwnChange & { workspaceId?: string })[]
): Promise<void> {
  const nowMs = clock.now();
  const by = describeAuthor(author);
  const entries: NewEntry[] = [];
  const pause = inSlices();
  for (const { workspaceId, action, target, before = null, after = null, secrets } of changes) {
    await pause();
    const changed = decideChanges(before, after, secrets);
    if (Object.keys(changed).length === 0) continue;
    entries.push({
      ...by,
      id: newId(nowMs),
      workspaceId: workspaceId ?? (author as Actor).workspace.workspaceId,
      action,
      targetId: target.id,
      targetName: target.userId === undefined ? target.name : null,
      targetUserId: target.userId ?? null,
      changes: changed,
    });
  }
  if (entries.length > 0) await auditStore.insert(tx, new Date(nowMs), entries);
}

type Author = Pick<
  NewEntry,
  'actorType' | 'actorId' | 'actorName' | 'via' | 'assistant' | 'requestId' | 'remoteAddress'
>;

function describeAuthor(author: ChangeAuthor | ActingOutsider): Author {
  if (typeof author === 'string') {
    const unnamed = {
      actorId: null,
      actorName: null,
      via: null,
      assistant: null,
      requestId: null,
      remoteAddress: null,
    };
    if (author === 'operator') return { ...unnamed, actorType: author, via: 'admin' };
    return { ...unnamed, actorType: 'system', actorName: author === 'roleMapping' ? 'Role mapping' : null };
  }
  const { via } = author;
  return {
    ...('caller' in author
      ? describeActor(author.caller, via)
      : { actorType: 'system', actorId: null, actorName: `${author.outsider.name} (${via.client})` }),
    via: via.channel,
    assistant: via.tool === undefined ? null : { client: via.client, tool: via.tool },
    requestId: via.requestId,
    remoteAddress: via.remoteAddress,
  };
}

/** The name of a person is kept with the account; a key's goes with the key, so that the entry holds it. */
function describeActor(
  { userId, credential }: Pick<Caller, 'userId'> & Partial<Pick<Caller, 'credential'>>,
  via: Via,
): Pick<Author, 'actorType' | 'actorId' | 'actorName'> {
  if (credential?.type === 'apiKey') return { actorType: 'apiKey', actorId: credential.id, actorName: credential.name };
  return { actorType: via.channel === 'link' ? 'link' : 'user', actorId: userId, actorName: null };
}

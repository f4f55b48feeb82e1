import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { hashToken, makeToken } from '../../../platform/identity/secret-token.js';
import type { Transactions, Tx } from '../../../platform/db/database.js';
import { roleAllows } from '../../../platform/identity/caller.js';
import {
  type AcknowledgeLink,
  acknowledgeLinkStore,
  type JointLink,
  type OneIncident,
} from './acknowledge-link-store.js';

export type { JointLink };

/** 128 random bits cannot be guessed and are short enough for an SMS. */
const TOKEN_BYTES = 16;
/** The time within which people act on a page. */
const LIFETIME_MS = 12 * 3_600_000;

const PATH = '/ack';

/** Issues links with each of which one person can acknowledge one incident. @returns URLs under `baseUrl`, in this order */
export async function issueAcknowledgeLinks(
  deps: { clock: Clock; baseUrl: string },
  tx: Tx,
  links: readonly OneIncident[],
): Promise<string[]> {
  if (links.length === 0) return [];
  const issued = links.map((link) => ({ ...link, ...newAcknowledgeLink(deps.baseUrl) }));
  await acknowledgeLinkStore.insert(tx, issued, new Date(deps.clock.now() + LIFETIME_MS));
  return issued.map(({ url }) => url);
}

/** @returns a link that works once it is stored by its hash */
export function newAcknowledgeLink(baseUrl: string): { url: string; hash: Buffer } {
  const token = makeToken(TOKEN_BYTES);
  return { url: `${baseUrl}${PATH}/${token}`, hash: hashToken(token) };
}

/** Stores links with each of which one person can acknowledge several incidents. */
export async function storeJointLinks(deps: { clock: Clock }, tx: Tx, links: readonly JointLink[]): Promise<void> {
  if (links.length === 0) return;
  await acknowledgeLinkStore.insertJoint(tx, links, new Date(deps.clock.now() + LIFETIME_MS));
}

/**
 * Returns the person and the incidents that a link is for.
 * @throws Fault not_found for a link that was used, has expired or is invalid; `insufficient_workspace_role` where the
 * person may no longer acknowledge
 */
async function read(deps: { db: Transactions; clock: Clock }, token: string): Promise<AcknowledgeLink> {
  return deps.db.read(async (tx) => {
    const link = await acknowledgeLinkStore.find(tx, hashToken(token), new Date(deps.clock.now()));
    if (!link)
      throw new Fault(
        'not_found',
        'This link was used already, or is older than 12 hours. Acknowledge the incident itself.',
      );
    const { role, ...acknowledged } = link;
    if (role === null || !roleAllows(role, 'Responder'))
      throw new Fault('insufficient_workspace_role', 'You may no longer acknowledge incidents of this workspace.');
    return acknowledged;
  });
}

/** Removes a link: it works once. */
async function use(deps: { db: Transactions }, token: string): Promise<void> {
  await deps.db.transaction((tx) => acknowledgeLinkStore.remove(tx, hashToken(token)));
}

/** The links with which people acknowledge, as the pages behind them need them. */
export const acknowledgeLinks = { path: PATH, read, use };

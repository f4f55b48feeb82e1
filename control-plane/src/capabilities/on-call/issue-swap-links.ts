import type { Tx } from '../../platform/db/database.js';
import { hashToken, makeToken } from '../../platform/identity/secret-token.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { swapLinkStore } from './swap-link-store.js';

/** The path of the links in mails about swaps. */
export const SWAP_PATH = '/swap';

/** Issues a link to answer a swap for each person who is asked. @returns URLs by user id */
export async function issueSwapLinks(
  { baseUrl }: ScheduleDeps,
  tx: Tx,
  workspaceId: string,
  swapId: string,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  const links = userIds.map((userId) => ({ userId, token: makeToken() }));
  await swapLinkStore.insert(
    workspaceId,
    tx,
    links.map(({ userId, token }) => ({ hash: hashToken(token), swapId, userId })),
  );
  return new Map(links.map(({ userId, token }) => [userId, `${baseUrl}${SWAP_PATH}/${token}`]));
}

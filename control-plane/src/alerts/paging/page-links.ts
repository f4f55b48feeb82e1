import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import type { Database, Tx } from '../../db/database.js';
import { type PageLink, pageLinkStore } from './page-link-store.js';

/** 128 random bits: nobody guesses them, and they leave room in an SMS. */
const TOKEN_BYTES = 16;
/** As long as somebody may reasonably act on a page. */
const LIVES_MS = 12 * 3_600_000;

/** Where a page's reader acknowledges. */
export const PAGE_LINK_PATH = '/ack';

/** Makes the link with which one person can acknowledge one incident. @returns a URL under `baseUrl` */
export async function makePageLink(
  deps: { clock: Clock; baseUrl: string },
  tx: Tx,
  { workspaceId, incidentId, userId }: PageLink,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const expires = new Date(deps.clock.now() + LIVES_MS);
  await pageLinkStore.insert(workspaceId, tx, { hash: hashOf(token), incidentId, userId, expires });
  return `${deps.baseUrl}${PAGE_LINK_PATH}/${token}`;
}

/** @throws Fault not_found for a link that was used, is too old, or never was one */
export async function readPageLink(deps: { db: Database; clock: Clock }, token: string): Promise<PageLink> {
  const link = await deps.db.read((tx) => pageLinkStore.find(tx, hashOf(token), new Date(deps.clock.now())));
  if (link) return link;
  throw new Fault(
    'not_found',
    'This link was used already, or is older than 12 hours: acknowledge the incident by its page or API.',
  );
}

/** It works once. */
export async function usePageLink(deps: { db: Database }, token: string): Promise<void> {
  await deps.db.transaction((tx) => pageLinkStore.remove(tx, hashOf(token)));
}

export async function purgePageLinks(deps: { db: Database; clock: Clock }): Promise<void> {
  await deps.db.transaction((tx) => pageLinkStore.purge(tx, new Date(deps.clock.now())));
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

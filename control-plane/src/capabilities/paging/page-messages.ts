import type { Clock } from '@watchpost/shared/clock';
import type { Transactions, Tx } from '../../platform/db/database.js';
import { roleAllows } from '../../platform/identity/caller.js';
import { type Contact, type DeliveryMetrics, issueAcknowledgeLinks, noteRefused } from '../delivery/index.js';
import type { ReachablePerson, ReachDeps } from './read-reachable.js';

export interface PagingDeps extends ReachDeps {
  db: Transactions;
  clock: Clock;
  /** Without a trailing slash. */
  baseUrl: string;
  metrics: Pick<DeliveryMetrics, 'refused'>;
}

/** A page of a person for an incident. */
export interface Page {
  workspaceId: string;
  incidentId: string;
  /** A sentence of the message: why this person is paged. */
  why: string;
  reached: ReachablePerson;
}

/** The contacts of each page that are notified at once, each with a link of its own: a lost or forwarded one is used once. */
export async function contactsOf(deps: PagingDeps, tx: Tx, pages: readonly Page[]): Promise<Contact[][]> {
  const linkedOf = ({ reached: { person, points } }: Page) =>
    // A person who is called acknowledges by a key.
    roleAllows(person.role, 'Responder')
      ? points.filter(({ afterMs, channel }) => afterMs === 0 && channel !== 'voice')
      : [];
  const links = await issueAcknowledgeLinks(
    deps,
    tx,
    pages.flatMap((page) =>
      linkedOf(page).map(() => ({
        workspaceId: page.workspaceId,
        incidentId: page.incidentId,
        userId: page.reached.person.userId,
      })),
    ),
  );
  return pages.map((page) => {
    const linked = new Set(linkedOf(page));
    return page.reached.points
      .filter(({ afterMs }) => afterMs === 0)
      .map((point): Contact => {
        const { channel, address, key } = point;
        const { why } = page;
        return { channel, address, key, extra: linked.has(point) ? { why, acknowledgeUrl: links.shift()! } : { why } };
      });
  });
}

/** Notes pages that fail because too many messages wait for their destination. */
export function noteRefusedPages(deps: PagingDeps, tx: Tx) {
  return async (refused: Parameters<typeof noteRefused>[2]): Promise<void> => {
    await noteRefused(deps, tx, refused);
    deps.metrics.refused(refused.length);
  };
}

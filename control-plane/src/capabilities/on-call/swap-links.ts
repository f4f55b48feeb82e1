import { Fault } from '@watchpost/shared/fault';
import type { ActingPerson, Via } from '../../platform/identity/caller.js';
import { hashToken } from '../../platform/identity/secret-token.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { personIn, readSchedules } from './read-on-call.js';
import { spanText } from './swap-mail.js';
import { type SwapLink, swapLinkStore } from './swap-link-store.js';
import type { Swap } from './swap-schemas.js';
import { acceptSwap, declineSwap, getSwap } from './swaps.js';

/** The view that a link shows of its swap. */
export interface LinkedSwap {
  swap: Swap;
  teamName: string;
  /** Who asks. */
  from: string;
  span: string;
  /** True if the person may decline: the one who is asked, not one of many. */
  isAskedAlone: boolean;
}

/** Reads what a link is for. @throws Fault `not_found`, `insufficient_workspace_role` where the person has left */
export async function readSwapLink(deps: ScheduleDeps, token: string): Promise<LinkedSwap> {
  const link = await findLink(deps, token);
  const swap = await getSwap(deps, { workspace: link }, link);
  return describeLinked(deps, link, swap);
}

/**
 * Answers a swap in the name of the person whom the link was sent to. The link works once.
 * @throws Fault as `readSwapLink`, `acceptSwap` and `declineSwap`
 */
export async function answerSwapLink(
  deps: ScheduleDeps,
  token: string,
  isAccepted: boolean,
  via: Via,
): Promise<LinkedSwap> {
  const link = await findLink(deps, token);
  const { workspaceId, userId } = link;
  const actor: ActingPerson = { caller: { userId }, workspace: { workspaceId }, via: { ...via, channel: 'link' } };
  const swap = await (isAccepted ? acceptSwap : declineSwap)(deps, actor, link);
  await deps.db.transaction((tx) => swapLinkStore.remove(tx, hashToken(token)));
  return describeLinked(deps, link, swap);
}

async function findLink({ db, clock }: ScheduleDeps, token: string): Promise<SwapLink> {
  const link = await db.read((tx) => swapLinkStore.find(tx, hashToken(token), new Date(clock.now())));
  if (!link)
    throw new Fault(
      'not_found',
      'This link was used already, or the shift has begun. Look at the swap in the console.',
    );
  if (!link.isMember)
    throw new Fault('insufficient_workspace_role', 'You are no active member of this workspace any more.');
  return link;
}

async function describeLinked(deps: ScheduleDeps, link: SwapLink, swap: Swap): Promise<LinkedSwap> {
  const { plan } = await deps.db.read((tx) => readSchedules(tx, link.workspaceId, link.id));
  const zone = plan.schedules.find(({ id }) => id === swap.scheduleId)?.timezone ?? 'UTC';
  const asking = personIn(plan)(swap.userId);
  return {
    swap,
    teamName: plan.name,
    from: asking?.name ?? asking?.email ?? 'Somebody',
    span: spanText(new Date(swap.shiftStart), new Date(swap.shiftEnd), zone),
    isAskedAlone: swap.withUserId === link.userId,
  };
}

import { z } from 'zod';
import { html } from '../../platform/http/html.js';
import { answerPage } from '../../platform/http/plain-page.js';
import { type ApiAnswer, route, type Route } from '../../platform/http/route.js';
import { BY_LINK } from '../../platform/http/schemas.js';
import type { ScheduleDeps } from './on-call-deps.js';
import { SWAP_PATH } from './issue-swap-links.js';
import { answerSwapLink, type LinkedSwap, readSwapLink } from './swap-links.js';
import { swapSchema, type SwapState } from './swap-schemas.js';

const answerSchema = z.strictObject({ message: z.string(), swap: swapSchema }).meta({ id: 'SwapLinkAnswer' });

const MESSAGES: Readonly<Record<SwapState, (from: string) => string>> = {
  open: (from) => `${from} asks you to take this shift.`,
  taken: () => 'The shift is taken.',
  declined: () => 'The swap is declined.',
  expired: () => 'The shift has begun, and nobody had taken it.',
  withdrawn: (from) => `${from} has withdrawn the request.`,
  void: () => 'A change of the schedule or the team left no such shift.',
};

/** The link in a mail about a swap. Reading it changes nothing, since mail scanners follow links; the buttons do. */
export function swapLinkRoutes(deps: ScheduleDeps): Route[] {
  const shared = {
    tag: 'Teams and on-call',
    ...BY_LINK,
    produces: ['text/html'],
    faults: ['insufficient_workspace_role'],
  } as const;
  const path = `${SWAP_PATH}/{token}`;
  const answerWith = (isAccepted: boolean) =>
    ({
      ...shared,
      method: 'post',
      audits: [isAccepted ? 'swap.accepted' : 'swap.declined'],
      answers: { 200: { description: 'The swap as it is now; the link works once', schema: answerSchema } },
      faults: [...shared.faults, 'feature_not_in_plan', 'swap_conflict'],
    }) as const;
  return [
    route({
      ...shared,
      method: 'get',
      path,
      operationId: 'readSwapLink',
      summary: 'Read the link in a mail about a swap; this changes nothing',
      description: 'The token in the link is the credential. It works until it is used, or the shift begins.',
      answers: { 200: { description: 'The swap, with buttons in a browser', schema: answerSchema } },
      handle: async ({ params: { token }, wantsPage }) => answerOf(wantsPage, token, await readSwapLink(deps, token)),
    }),
    route({
      ...answerWith(true),
      path: `${path}/accept`,
      operationId: 'acceptSwapByLink',
      summary: 'Take the shift of a swap by the link in a mail',
      handle: async ({ params: { token }, wantsPage, via }) =>
        answerOf(wantsPage, token, await answerSwapLink(deps, token, true, via)),
    }),
    route({
      ...answerWith(false),
      path: `${path}/decline`,
      operationId: 'declineSwapByLink',
      summary: 'Decline to take the shift of a swap by the link in a mail',
      handle: async ({ params: { token }, wantsPage, via }) =>
        answerOf(wantsPage, token, await answerSwapLink(deps, token, false, via)),
    }),
  ];
}

function answerOf(
  wantsPage: boolean,
  token: string,
  { swap, teamName, from, span, isAskedAlone }: LinkedSwap,
): ApiAnswer {
  const message = MESSAGES[swap.state](from);
  if (!wantsPage) return { body: { message, swap } };
  const action = `${SWAP_PATH}/${encodeURIComponent(token)}`;
  const title = `Swap of a shift of ${teamName}`;
  const button = (verb: string, label: string, look: string) =>
    html`<form method="post" action="${action}/${verb}">
      <div class="row"><button class="${look}">${label}</button></div>
    </form>`;
  return answerPage(
    title,
    html`<h1>${title}</h1>
      <p>${message}</p>
      <p>${span}</p>
      ${swap.state === 'open' && button('accept', 'Take the shift', '')}
      ${swap.state === 'open' && isAskedAlone && button('decline', 'Decline', 'quiet')}`,
  );
}

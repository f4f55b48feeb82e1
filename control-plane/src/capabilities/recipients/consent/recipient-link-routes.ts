import type { Clock } from '@watchpost/shared/clock';
import type { Transactions } from '../../../platform/db/database.js';
import { html } from '../../../platform/http/html.js';
import { answerPage } from '../../../platform/http/plain-page.js';
import { type ApiAnswer, route, type Route } from '../../../platform/http/route.js';
import { BY_LINK } from '../../../platform/http/schemas.js';
import { answerRecipientLink, type LinkedRecipient, readRecipientLink } from './confirm-by-link.js';
import { CONFIRM_PATH } from './recipient-mails.js';
import { linkAnswerSchema } from './recipient-schemas.js';

const MESSAGES: Readonly<Record<LinkedRecipient['state'], string>> = {
  pending: 'Nothing is sent to this address until you confirm.',
  confirmed: 'Alerts may be sent to this address.',
  refused: 'No alerts are sent to this address, and you are not asked again.',
};

/** The link in a request to confirm. Reading it changes nothing, since mail scanners follow links; the buttons do. */
export function recipientLinkRoutes(deps: { db: Transactions; clock: Clock }): Route[] {
  const shared = {
    tag: 'Action groups',
    ...BY_LINK,
    produces: ['text/html'],
  } as const;
  const path = `${CONFIRM_PATH}/{token}`;
  return [
    route({
      ...shared,
      method: 'get',
      path,
      operationId: 'readRecipientLink',
      summary: 'Read the link in a request to confirm; this changes nothing',
      description: 'The token in the link is the credential. It works for 7 days, or until a newer one is sent.',
      answers: { 200: { description: 'The address, with two buttons in a browser', schema: linkAnswerSchema } },
      handle: async ({ params: { token }, wantsPage }) =>
        answerOf(wantsPage, token, await readRecipientLink(deps, token)),
    }),
    route({
      ...shared,
      method: 'post',
      path,
      operationId: 'confirmRecipient',
      audits: { none: 'the recipient is not a member of the workspace' },
      summary: 'Agree to alerts by email',
      answers: { 200: { description: 'Confirmed', schema: linkAnswerSchema } },
      handle: async ({ params: { token }, wantsPage }) =>
        answerOf(wantsPage, token, await answerRecipientLink(deps, token, true)),
    }),
    route({
      ...shared,
      method: 'post',
      path: `${path}/refuse`,
      operationId: 'refuseRecipient',
      audits: { none: 'the recipient is not a member of the workspace' },
      summary: 'Refuse alerts by email, and further requests of the same account',
      answers: { 200: { description: 'Refused', schema: linkAnswerSchema } },
      handle: async ({ params: { token }, wantsPage }) =>
        answerOf(wantsPage, token, await answerRecipientLink(deps, token, false)),
    }),
  ];
}

function answerOf(wantsPage: boolean, token: string, { address, state }: LinkedRecipient): ApiAnswer {
  const message = MESSAGES[state];
  if (!wantsPage) return { body: { message, recipient: address, state } };
  const action = `${CONFIRM_PATH}/${encodeURIComponent(token)}`;
  const title = 'Alerts by email';
  return answerPage(
    title,
    html`<h1>${title}</h1>
      <p>${address}</p>
      <p>${message}</p>
      ${
        state !== 'confirmed' &&
        html`<form method="post" action="${action}">
          <div class="row"><button>Confirm</button></div>
        </form>`
      }
      ${
        state !== 'refused' &&
        html`<form method="post" action="${action}/refuse">
          <div class="row"><button class="quiet">Do not ask again</button></div>
        </form>`
      }`,
  );
}

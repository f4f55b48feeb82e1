import { html } from '../../../platform/http/html.js';
import { PLANS } from '../../plans/index.js';
import { mailDocument } from '../channels/mail-message.js';
import type { OutgoingMail } from '../channels/mailer.js';

/** The path of the links in requests. */
export const CONFIRM_PATH = '/confirm-recipient';
/** Addresses that no mail program can take for a link or markup; others are not shown. */
const PLAIN_ADDRESS = /^[a-z0-9+_-]{1,40}(?:\.[a-z0-9+_-]{1,40}){0,3}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}$/i;

/**
 * Composes the request to confirm an address. It contains no name that a customer has chosen.
 * @param owner the verified address of the owner of the workspace
 */
export function requestMail(baseUrl: string, to: string, owner: string | null, token: string): OutgoingMail {
  const { host } = new URL(baseUrl);
  const who = owner !== null && PLAIN_ADDRESS.test(owner) ? owner : 'A user of Watchpost';
  const what = `${who} asks to send alerts about the availability of websites to ${to}, by Watchpost at ${host}.`;
  const how = 'Confirm or refuse within 7 days:';
  const otherwise =
    'Until you confirm, no alert is sent to this address. If you do not expect this mail, refuse there or ignore it.';
  const link = `${baseUrl}${CONFIRM_PATH}/${token}`;
  const subject = 'Confirm that Watchpost may send you alerts';
  return {
    to,
    subject,
    text: `${what}\n\n${how}\n${link}\n\n${otherwise}\n`,
    html: mailDocument(
      subject,
      html`<p>${what}</p>
        <p>${how} <a href="${link}">Confirm or refuse</a></p>
        <p>${otherwise}</p>`.text,
    ),
  };
}

/** Composes the notice to the owner that a budget is used up. @param once the key by which one a day is sent */
export function budgetMail(to: string, kind: 'mails' | 'sms', most: number, once: string): OutgoingMail {
  const hasMore = Object.values(PLANS).some(({ budgets }) => budgets[kind] > most);
  const noun = kind === 'mails' ? 'mails' : 'text messages';
  const subject = `Watchpost has sent all ${noun} of today`;
  const what = `Your account has used its budget of ${most} ${noun} for today (UTC). Further alerts by ${kind === 'mails' ? 'mail' : 'SMS'} fail with budget_exceeded until midnight UTC.`;
  const pages =
    kind === 'mails'
      ? 'Pages to people on call are still sent.'
      : 'Pages to people on call are still sent by mail, and by SMS up to twice the budget.';
  const how = `Check which monitors fail so often${hasMore ? ', or move to a plan with a larger budget: GET /api/v1/product lists the budgets' : ''}.`;
  return {
    to,
    subject,
    text: `${what}\n\n${pages} ${how}\n`,
    html: mailDocument(
      subject,
      html`<p>${what}</p>
        <p>${pages} ${how}</p>`.text,
    ),
    once,
  };
}

import { html } from '../../../platform/http/html.js';
import { PLANS } from '../../plans/index.js';
import { mailDocument } from '../channels/mail-message.js';
import type { OutgoingMail } from '../channels/mailer.js';

/** Where the link of a request leads. */
export const CONFIRM_PATH = '/confirm-recipient';
/** Addresses that no mail program takes for anything else; of others nothing is shown. */
const PLAIN_ADDRESS = /^[a-z0-9+_-]{1,40}(?:\.[a-z0-9+_-]{1,40}){0,3}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}$/i;

/**
 * Asks the owner of an address whether it may be sent alerts. No name that a customer chose is in it.
 * @param owner the verified address of whoever asks
 */
export function requestMail(baseUrl: string, to: string, owner: string | null, token: string): OutgoingMail {
  const { host } = new URL(baseUrl);
  const who = owner !== null && PLAIN_ADDRESS.test(owner) ? owner : 'A user of Watchpost';
  const what = `${who} asks to send alerts about the availability of websites to ${to}, by Watchpost at ${host}.`;
  const how = 'Confirm or refuse within 7 days:';
  const otherwise =
    'Until you confirm, no alert is sent to this address. If you do not expect this, refuse there, or ignore this mail.';
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

/** Notifies the owner that a budget is used up; of several on one day the first is sent. */
export function budgetMail(to: string, kind: 'mails' | 'sms', most: number, once: string): OutgoingMail {
  const hasMore = Object.values(PLANS).some(({ budgets }) => budgets[kind] > most);
  const noun = kind === 'mails' ? 'mails' : 'text messages';
  const subject = `Watchpost has sent all ${noun} of today`;
  const what = `Your account has used its budget of ${most} ${noun} for today (UTC). Further alerts by ${kind === 'mails' ? 'mail' : 'SMS'} fail with budget_exceeded until midnight UTC.`;
  const pages =
    kind === 'mails'
      ? 'Pages to people on call are still sent.'
      : 'Pages to people on call are still sent by mail, and by SMS up to twice the budget.';
  const how = `Look at what fails so often${hasMore ? ', or move to a plan that has more: GET /api/v1/product lists the budgets' : ''}.`;
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

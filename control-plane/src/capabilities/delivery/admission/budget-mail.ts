import { mailDocument } from '../../../platform/mail/mail-document.js';
import type { OutgoingMail } from '../../../platform/mail/mailer.js';
import { html } from '../../../platform/http/html.js';
import { PLANS } from '../../plans/index.js';

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

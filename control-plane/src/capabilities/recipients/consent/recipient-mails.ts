import { mailDocument } from '../../../platform/mail/mail-document.js';
import type { OutgoingMail } from '../../../platform/mail/mailer.js';
import { html } from '../../../platform/http/html.js';

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

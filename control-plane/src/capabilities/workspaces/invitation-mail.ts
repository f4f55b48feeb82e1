import { cleanLine, unlink } from '@watchpost/shared/clean-line';
import { html } from '../../platform/http/html.js';
import { mailDocument } from '../../platform/mail/mail-document.js';
import type { InvitationRow } from './invitation-store.js';

export interface InvitationMail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/**
 * The mail to an invited person, who may not know the service: names chosen by others are shortened and contain no links.
 */
export function invitationMail(
  { email, role, expiresAt }: Pick<InvitationRow, 'email' | 'role' | 'expiresAt'>,
  names: { workspace: string; inviter: string | null },
  link: string,
): InvitationMail {
  const workspace = cleanLine(unlink(names.workspace), 80);
  const inviter = names.inviter === null ? 'Somebody' : cleanLine(unlink(names.inviter), 80);
  const subject = `Invitation to ${workspace} on Watchpost`;
  const until = `${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const invited = `${inviter} invites you to the workspace ${workspace} on Watchpost, as ${role}.`;
  const ends = `The link works once, until ${until}, for a person who signs in with this address.`;
  const unasked = 'If you do not know what this is about, do nothing: you hear no more of it.';
  return {
    to: email,
    subject,
    text: `${invited}\n\n${link}\n\n${ends}\n${unasked}\n`,
    html: mailDocument(
      subject,
      html`<p>${invited}</p>
        <p><a href="${link}">Look at the invitation</a></p>
        <p style="color:#475467">${ends} ${unasked}</p>`.text,
    ),
  };
}

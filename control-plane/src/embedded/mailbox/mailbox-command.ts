import type { Database } from '../../platform/db/database.js';
import { readLocalMail } from './local-mailbox.js';

const SHOWN = 20;

/** The operators' command that prints the local mailbox, the newest mail last. */
export const mailboxCommand = {
  name: 'mailbox',
  usage: 'mailbox',
  summary: 'Print the mail of the local mailbox, which replaces a mail server without SMTP_URL.',
  async run(deps: { db: Database }): Promise<string[]> {
    const mails = await readLocalMail(deps, SHOWN);
    if (mails.length === 0) return ['No mail yet.'];
    return mails.toReversed().flatMap(({ at, recipient, subject, text }) => [
      `--- ${at.toISOString()} to ${recipient}`,
      `Subject: ${subject}`,
      '',
      // A terminal would execute control characters.
      ...text.split('\n').map((line) => line.replace(/\p{Cc}/gu, '')),
    ]);
  },
};

import type { Mailer } from '../../platform/mail/mailer.js';
import type { Logger } from 'pino';
import { newId } from '@watchpost/shared/id';
import type { Database } from '../../platform/db/database.js';
import { cleanLine } from '@watchpost/shared/clean-line';
import { type LocalMail, localMailStore } from './local-mail-store.js';

/** Only the newest mails are kept. */
const MOST_LOCAL_MAILS = 500;

export type { LocalMail };

/** Stores mail in the local mailbox instead of sending it. The log reports recipient and subject, not the content. */
export function createLocalMailer(deps: { db: Database; logger: Logger }): Mailer {
  return {
    async send(_id, mail, nowMs) {
      const row = { id: newId(nowMs), at: new Date(nowMs), recipient: mail.to, subject: cleanLine(mail.subject) };
      await deps.db.transaction(async (tx) => {
        await localMailStore.insert(tx, { ...row, text: mail.text, html: mail.html });
        await localMailStore.keepNewest(tx, MOST_LOCAL_MAILS);
      });
      deps.logger.info(
        { to: row.recipient, subject: row.subject },
        'mail stored in the local mailbox: SMTP_URL is not set',
      );
      return { kind: 'sent', statusCode: null, answer: 'It is in the local mailbox: there is no mail server.' };
    },
  };
}

/** The newest mails of the local mailbox, newest first. */
export function readLocalMail(deps: { db: Database }, limit: number): Promise<LocalMail[]> {
  return deps.db.read((tx) => localMailStore.newest(tx, limit));
}

import { cleanLine, unlink } from '@watchpost/shared/clean-line';
import { html } from '../../platform/http/html.js';
import type { OutgoingMail } from '../../platform/mail/mailer.js';
import { mailDocument } from '../../platform/mail/mail-document.js';
import { minuteText, dayText } from '@watchpost/shared/design/texts';

/** A mail about shifts of a team to one of its members: a sentence, and a link to what can be done. */
export function onCallMail(
  to: string,
  { subject, sentences, link, action }: { subject: string; sentences: readonly string[]; link: string; action: string },
): OutgoingMail {
  const title = cleanLine(unlink(subject), 150);
  const lines = sentences.map((line) => cleanLine(unlink(line), 500));
  const body = html`${lines.map((line) => html`<p>${line}</p>`)}
    <p><a href="${link}">${action}</a></p>`;
  return {
    to,
    subject: title,
    text: `${lines.join('\n\n')}\n\n${action}: ${link}\n`,
    html: mailDocument(title, body.text),
  };
}

/** `21 Nov 2026 09:00 to 22 Nov 2026 09:00 (Europe/Berlin)` */
export function spanText(start: Date, end: Date, zone: string): string {
  const text = (at: Date) => `${dayText(at.getTime(), zone)} ${minuteText(at.getTime(), zone)}`;
  return `${text(start)} to ${text(end)} (${zone})`;
}

import { cleanLine } from '@watchpost/shared/clean-line';
import { escapeHtml } from '../../../platform/http/html.js';
import type { AlertMessage } from './alert-message.js';
import { TONE_COLOURS } from './chat-text.js';
import { ACKNOWLEDGE_LABEL } from './compose-message.js';
import { asksToAcknowledge } from './describe-change.js';
import { mailDocument } from '../../../platform/mail/mail-document.js';
import { linesOf, plainText } from './plain-text.js';
import type { OutgoingMail } from '../../../platform/mail/mailer.js';

/** More than any message has. */
const MAX_TEXT = 100_000;

/** Renders a message as mail; text and HTML have the same content. */
export function mailMessage(to: string, message: AlertMessage): OutgoingMail {
  const { title, facts, links, thread, otherThreads = [], tone, items = [] } = message;
  const canAcknowledge = [links, ...items.map((item) => item.links)]
    .flat()
    .some(({ label }) => label.startsWith(ACKNOWLEDGE_LABEL));
  // Who belongs to no workspace has no link for it.
  const sentences = message.sentences.filter((text) => canAcknowledge || !asksToAcknowledge(text));
  const text = [
    title,
    '',
    plainText({ sentences, facts, links }, MAX_TEXT),
    ...items.flatMap((item) => ['', `* ${item.title}`, ...item.sentences, ...linesOf(item.links)]),
    '',
  ].join('\n');
  const html = mailDocument(
    title,
    [
      `<h1 style="font-size:20px;margin:0 0 16px;color:${TONE_COLOURS[tone]}">${escapeHtml(title)}</h1>`,
      ...sentences.map((sentence) => `<p style="margin:0 0 8px;white-space:pre-line">${escapeHtml(sentence)}</p>`),
      '<table role="presentation" style="margin:16px 0;border-collapse:collapse">',
      ...facts.map(
        ({ name, value }) =>
          `<tr><th scope="row" style="text-align:left;vertical-align:top;padding:4px 16px 4px 0;font-weight:600">${escapeHtml(name)}</th>` +
          `<td style="padding:4px 0;word-break:break-word">${escapeHtml(value)}</td></tr>`,
      ),
      '</table>',
      ...links.map((link) => `<p style="margin:0 0 8px">${anchorOf(link)}</p>`),
      ...items.flatMap((item) => [
        `<h2 style="font-size:16px;margin:20px 0 8px">${escapeHtml(item.title)}</h2>`,
        ...item.sentences.map((text) => `<p style="margin:0 0 4px;white-space:pre-line">${escapeHtml(text)}</p>`),
        `<p style="margin:0 0 4px">${item.links.map(anchorOf).join(' &middot; ')}</p>`,
      ]),
    ].join('\n'),
  );
  const threads = thread === null ? {} : { thread, ...(otherThreads.length > 0 && { otherThreads }) };
  return { to, subject: cleanLine(title), text, html, ...threads };
}

function anchorOf({ label, url }: AlertMessage['links'][number]): string {
  return `<a href="${escapeHtml(url)}">${escapeHtml(label)}</a>`;
}

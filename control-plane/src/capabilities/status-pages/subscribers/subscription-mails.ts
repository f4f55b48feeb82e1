import type { OutgoingMail } from '../../../platform/mail/mailer.js';
import { html } from '../../../platform/http/html.js';
import type { SecretBox } from '../../../platform/db/secret-box.js';
import { renderWithoutLinks, unescapeMarkdown } from '../site/render-markdown.js';
import { mailDocument, plainName } from './mail-document.js';
import type { SubscriberRow } from './subscriber-store.js';
import { subscribersPath, unsubscribeToken } from './subscription-links.js';

export interface MailFrame {
  secretBox: SecretBox;
  baseUrl: string;
  slug: string;
  pageName: string;
}

/** The mail that asks the owner of an address to confirm. Anybody can cause it, so it has no text that a tenant wrote. */
export function confirmationMail(
  { baseUrl, slug }: Omit<MailFrame, 'pageName'>,
  { email }: SubscriberRow,
  token: string,
): OutgoingMail {
  const link = `${baseUrl}${subscribersPath(slug)}/confirm?token=${token}`;
  const why = `Somebody, probably you, asked for news of the status page ${baseUrl}/status/${slug} to be sent to ${email}.`;
  const otherwise = 'If it was not you, do nothing: without the confirmation no more mail comes.';
  return {
    to: email,
    subject: 'Confirm your subscription to a status page',
    text: `${why}\n\nConfirm it within 48 hours:\n${link}\n\n${otherwise}\n`,
    html: mailDocument(
      html`<p>${why}</p>
        <p><a href="${link}">Confirm the subscription</a> (within 48 hours)</p>
        <p>${otherwise}</p>`,
    ),
  };
}

/** The mail for a repeated request of a confirmed subscriber: nothing needs to be done. */
export function alreadySubscribedMail(frame: MailFrame, subscriber: SubscriberRow): OutgoingMail {
  const name = plainName(frame.pageName);
  const what = `You asked for news of the status page "${name}", and get it already: nothing needs to be done.`;
  return withUnsubscribe(frame, subscriber, {
    subject: `You subscribe to ${name} already`,
    text: what,
    html: html`<p>${what}</p>`.text,
  });
}

export interface Notice {
  subject: string;
  /** Markdown. */
  body: string;
  postId: string | null;
}

export function noticeMail(
  frame: MailFrame,
  subscriber: SubscriberRow,
  notice: Notice & { isPostShown: boolean },
): OutgoingMail {
  const home = `${frame.baseUrl}/status/${frame.slug}`;
  const link = notice.isPostShown ? `${home}/posts/${notice.postId}` : home;
  return withUnsubscribe(frame, subscriber, {
    subject: notice.subject,
    text: `${unescapeMarkdown(notice.body)}\n\n${link}`,
    html: html`${renderWithoutLinks(notice.body)}
      <p><a href="${link}">${frame.pageName}</a></p>`.text,
    ...(notice.postId === null ? {} : { thread: notice.postId }),
  });
}

function withUnsubscribe(
  { secretBox, baseUrl, slug }: MailFrame,
  { id, email }: SubscriberRow,
  mail: Pick<OutgoingMail, 'subject' | 'text' | 'html' | 'thread'>,
): OutgoingMail {
  const unsubscribeUrl = `${baseUrl}${subscribersPath(slug)}/unsubscribe?token=${unsubscribeToken(secretBox, slug, id)}`;
  return {
    ...mail,
    to: email,
    text: `${mail.text}\n\n--\nUnsubscribe: ${unsubscribeUrl}\n`,
    html: mailDocument(mail.html, html`<p><a href="${unsubscribeUrl}">Unsubscribe</a></p>`),
    unsubscribeUrl,
  };
}

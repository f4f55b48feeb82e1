import { POST_LOOKS } from '@watchpost/shared/design/states';
import { type Html, html } from '../../../platform/http/html.js';
import type { BuildWork } from '../build-work.js';
import type { PublicPageView, PublicPost } from '../public-page-schemas.js';
import type { PublicThread } from '../read-public-posts.js';
import { renderMarkdown } from './render-markdown.js';
import { momentText } from '@watchpost/shared/design/texts';

/** Characters shown on the status page; the document of the post has the full text. */
const SHOWN_TEXT = 1_500;
const SHOWN_UPDATES = 3;

/** A post on the status page, shortened with a link to the full text. */
export function postCard(slug: string, page: PublicPageView, post: PublicPost): Html {
  const updates = post.updates.slice(0, SHOWN_UPDATES);
  const isCut =
    page.shortenedPosts.has(post.id) ||
    post.updates.length > SHOWN_UPDATES ||
    [post, ...updates].some(({ body }) => body !== null && body.length > SHOWN_TEXT);
  return html`<article class="card post">
    <div class="row">
      <h3><a href="/status/${slug}/posts/${post.id}">${post.title}</a></h3>
      <span class="state">${POST_LOOKS[post.status].word}</span>
    </div>
    ${facts(page, post)} ${updates.map(({ status, body, created }) => update(status, cut(body), created))}
    ${update(null, cut(post.body), post.created)}
    ${isCut && html`<p><a href="/status/${slug}/posts/${post.id}">Read all of it</a></p>`}
  </article>`;
}

export async function wholePost(page: PublicPageView, post: PublicPost & PublicThread, work: BuildWork): Promise<Html> {
  const thread: Html[] = [];
  for (const { status, body, created } of post.updates)
    thread.push(await work.slice(() => update(status, body, created)));
  if (post.isShortened) thread.push(html`<p class="soft">Older updates are not shown.</p>`);
  thread.push(await work.slice(() => update(null, post.body, post.created)));
  return html`<article class="card post">
    <div class="row">
      <h2>${post.title}</h2>
      <span class="state">${POST_LOOKS[post.status].word}</span>
    </div>
    ${facts(page, post)} ${thread}
  </article>`;
}

function facts(page: PublicPageView, { systemIds, scheduledStart, scheduledEnd }: PublicPost): Html | null {
  const names = systemNames(page, systemIds);
  if (!names && !scheduledStart) return null;
  return html`<p class="soft">
    ${names}${names && scheduledStart && ' · '}${
      scheduledStart && html`planned from ${moment(scheduledStart)}${scheduledEnd && html` to ${moment(scheduledEnd)}`}`
    }
  </p>`;
}

function update(status: PublicPost['status'] | null, body: string | null, at: string): Html {
  return html`<p class="soft at">${status && html`<strong>${POST_LOOKS[status].word}</strong> · `}${moment(at)}</p>
    ${body !== null && renderMarkdown(body)}`;
}

export function systemNames({ groups }: PublicPageView, ids: readonly string[]): string {
  return groups
    .flatMap(({ systems }) => systems)
    .filter(({ id }) => ids.includes(id))
    .map(({ name }) => name)
    .join(', ');
}

function moment(time: string): Html {
  return html`<time datetime="${time}">${momentText(Date.parse(time))}</time>`;
}

function cut(text: string | null): string | null {
  return text !== null && text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT)} …` : text;
}

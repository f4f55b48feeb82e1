import { POST_LOOKS } from '@watchpost/shared/design/states';
import { escapeHtml } from '../../../platform/http/html.js';
import { momentText } from '@watchpost/shared/design/texts';
import type { BuildWork } from '../build-work.js';
import { postsOf, type PublicHistoryEntry, type PublicPageView, type PublicPost } from '../public-page-schemas.js';
import { outageText } from './history-list.js';
import { systemNames } from './post-card.js';
import { renderMarkdown } from './render-markdown.js';
import { plannedText } from './words.js';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';
const MAX_ENTRIES = 50;

interface Entry {
  id: string;
  title: string;
  link: string;
  published: string;
  updated: string;
  html: string;
}

/** The posts of a status page, and its outages where it shows them, as Atom (RFC 4287), newest first. */
export async function atomFeed(baseUrl: string, slug: string, page: PublicPageView, work: BuildWork): Promise<string> {
  const home = `${baseUrl}/status/${slug}`;
  const outages = (page.history ?? []).filter(({ post }) => post === null);
  const newest = [
    ...postsOf(page).map((post) => ({ updated: post.lastModified, entry: () => postEntry(home, page, post, work) })),
    ...outages.map((outage) => ({
      updated: outage.ended ?? outage.started,
      entry: () => outageEntry(home, page, outage),
    })),
  ]
    .toSorted((a, b) => (a.updated < b.updated ? 1 : -1))
    .slice(0, MAX_ENTRIES);
  const entries: string[] = [];
  for (const { entry } of newest) {
    const made = await entry();
    entries.push(await work.slice(() => entryXml(made)));
  }
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(home)}</id><title>${xml(page.name)}</title><updated>${newest[0]?.updated ?? startOfDay(page.updatedAt)}</updated>
<author><name>${xml(page.name)}</name></author>
<link rel="alternate" type="text/html" href="${xml(home)}"/><link rel="self" href="${xml(`${home}/feed.atom`)}"/>
${entries.join('\n')}
</feed>
`;
}

/** The date of a feed without entries. It changes rarely, so that readers need not load it again. */
function startOfDay(time: string): string {
  return `${time.slice(0, 10)}T00:00:00.000Z`;
}

function outageEntry(home: string, page: PublicPageView, outage: PublicHistoryEntry): Entry {
  const text = outageText(page, outage, momentText);
  return {
    id: `urn:uuid:${page.outageIds.get(outage)!}`,
    title: text,
    link: home,
    published: outage.started,
    updated: outage.ended ?? outage.started,
    html: `<p>${escapeHtml(text)}</p>`,
  };
}

async function postEntry(home: string, page: PublicPageView, post: PublicPost, work: BuildWork): Promise<Entry> {
  const link = `${home}/posts/${post.id}`;
  const thread: string[] = [];
  for (const { body } of [...post.updates, post])
    if (body !== null) thread.push(await work.slice(() => renderMarkdown(body).text));
  if (page.shortenedPosts.has(post.id)) thread.push(`<p><a href="${escapeHtml(link)}">Read all of it</a></p>`);
  return {
    id: `urn:uuid:${post.id}`,
    title: `${post.title} (${POST_LOOKS[post.status].word.toLowerCase()})`,
    link,
    published: post.created,
    updated: post.lastModified,
    html: [...factsOf(page, post), thread.join('<hr>')].join(''),
  };
}

function factsOf(page: PublicPageView, { systemIds, scheduledStart, scheduledEnd }: PublicPost): string[] {
  const planned =
    scheduledStart && plannedText(Date.parse(scheduledStart), scheduledEnd === null ? null : Date.parse(scheduledEnd));
  const facts = [systemNames(page, systemIds), planned].filter((fact) => fact !== null && fact !== '');
  return facts.length === 0 ? [] : [`<p>${escapeHtml(facts.join(' · '))}</p>`];
}

function entryXml({ id, title, link, published, updated, html }: Entry): string {
  return `<entry><id>${xml(id)}</id><title>${xml(title)}</title><published>${published}</published><updated>${updated}</updated><link rel="alternate" href="${xml(link)}"/><content type="html">${xml(html)}</content></entry>`;
}

/** XML 1.0 §2.2 forbids most control characters, also escaped. */
function xml(text: string): string {
  return escapeHtml(text.replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));
}

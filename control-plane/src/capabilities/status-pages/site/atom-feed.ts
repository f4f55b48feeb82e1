import { escapeHtml } from '../../../platform/http/html.js';
import { momentText } from '../../../platform/pages/moment-text.js';
import type { PublicPageView, PublicPost } from '../public-page-schemas.js';
import { outageText } from './history-list.js';
import { systemNames } from './post-card.js';
import { renderMarkdown } from './render-markdown.js';
import { plannedText, POST_STATUS_WORDS } from './words.js';

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
export function atomFeed(baseUrl: string, slug: string, page: PublicPageView): string {
  const home = `${baseUrl}/status/${slug}`;
  const entries = [
    ...page.activePosts.map((post) => postEntry(home, page, post)),
    ...(page.history ?? []).map((entry): Entry => {
      if (entry.post) return postEntry(home, page, entry.post);
      const text = outageText(page, entry, momentText);
      return {
        // An outage has no document of its own; its start and system identify it.
        id: `${home}#outage-${entry.started}-${entry.systemIds.join('-')}`,
        title: text,
        link: home,
        published: entry.started,
        updated: entry.ended ?? entry.started,
        html: `<p>${escapeHtml(text)}</p>`,
      };
    }),
  ]
    .toSorted((a, b) => (a.updated < b.updated ? 1 : -1))
    .slice(0, MAX_ENTRIES);
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${xml(home)}</id><title>${xml(page.name)}</title><updated>${entries[0]?.updated ?? startOfDay(page.updatedAt)}</updated>
<author><name>${xml(page.name)}</name></author>
<link rel="alternate" type="text/html" href="${xml(home)}"/><link rel="self" href="${xml(`${home}/feed.atom`)}"/>
${entries.map(entryXml).join('\n')}
</feed>
`;
}

/** The date of a feed without entries. It changes rarely, so that readers need not load it again. */
function startOfDay(time: string): string {
  return `${time.slice(0, 10)}T00:00:00.000Z`;
}

function postEntry(home: string, page: PublicPageView, post: PublicPost): Entry {
  const thread = [...post.updates.flatMap(({ body }) => (body === null ? [] : [body])), post.body];
  return {
    id: `urn:uuid:${post.id}`,
    title: `${post.title} (${POST_STATUS_WORDS[post.status].toLowerCase()})`,
    link: `${home}/posts/${post.id}`,
    published: post.created,
    updated: post.lastModified,
    html: [...factsOf(page, post), thread.map((body) => renderMarkdown(body).text).join('<hr>')].join(''),
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

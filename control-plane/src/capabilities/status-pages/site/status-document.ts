import { createHash } from 'node:crypto';
import { Html, html } from '../../../platform/http/html.js';
import { spanBar } from '../../../platform/pages/span-bar.js';
import type { BuildWork } from '../build-work.js';
import type { PublicPageView, PublicPost } from '../public-page-schemas.js';
import { pictureSource } from '../status-page-schemas.js';
import { historyList } from './history-list.js';
import { LIVE_SCRIPT } from './live-script.js';
import { postCard } from './post-card.js';
import { STYLE } from './style.js';
import { dailyBars, WINDOW_WORDS } from './timeline-bars.js';
import { momentText, percentText } from '../../../platform/pages/moment-text.js';
import { OVERALL_WORDS, STATUS_WORDS } from './words.js';

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
const STYLE_ELEMENT = new Html(`<style>${STYLE}</style>`);
const SCRIPT_ELEMENT = new Html(`<script>${LIVE_SCRIPT}</script>`);
const POLICY = `default-src 'none'; style-src ${hashOf(STYLE)}; script-src ${hashOf(LIVE_SCRIPT)}; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export interface StatusDocument {
  html: string;
  /** The `Content-Security-Policy` of the document. */
  policy: string;
}

/** The content below the heading: the status, or one post. */
export interface DocumentFrame {
  slug: string;
  page: Pick<PublicPageView, 'name' | 'description' | 'theme' | 'banner'>;
  title: string;
  content: Html;
  /** Whether the document keeps itself current. */
  isLive: boolean;
}

/** A status page as HTML: complete without scripts; with scripts it keeps itself current. */
export async function statusDocument(slug: string, page: PublicPageView, work: BuildWork): Promise<StatusDocument> {
  const groups: Html[] = [];
  for (const group of page.groups) groups.push(await systemGroup(group, work));
  const overall = OVERALL_WORDS[page.overallStatus];
  const content = html`<div id="live" data-overall="${page.overallStatus}">
      <section class="overall ${page.overallStatus}">
        <h2>${overall}</h2>
      </section>
      ${activePosts(slug, page)} ${groups} ${uptime(page)} ${page.history && historyList(slug, page)}
      <p class="soft">As of ${momentText(Date.parse(page.updatedAt))}.</p>
    </div>
    <p id="announcement" role="status" class="soft"></p>
    ${subscribeForm(slug)}`;
  return work.slice(() => frameDocument({ slug, page, title: `${page.name}: ${overall}`, content, isLive: true }));
}

/** The frame of all documents of a status page. */
export function frameDocument({ slug, page, title, content, isLive }: DocumentFrame): StatusDocument {
  const document = html`<!doctype html>
    <html lang="en" data-theme="${page.theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <meta name="description" content="${page.description || title}" />
        <link rel="alternate" type="application/atom+xml" title="${page.name}" href="/status/${slug}/feed.atom" />
        ${STYLE_ELEMENT}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          ${banner(page)}
          <h1><a href="/status/${slug}">${page.name}</a></h1>
          ${page.description && html`<p>${page.description}</p>`}
        </header>
        <main id="content">${content}</main>
        <footer><a href="/status/${slug}/feed.atom">Atom feed</a> · Watched by Watchpost</footer>
        ${isLive && SCRIPT_ELEMENT}
      </body>
    </html>`;
  return { html: squeeze(document.text), policy: policyFor(page) };
}

function policyFor({ banner: picture }: DocumentFrame['page']): string {
  const source = picture && pictureSource(picture.imageUrl);
  return source ? `${POLICY}; img-src ${source}` : POLICY;
}

function banner({ banner: picture }: DocumentFrame['page']): Html | null {
  if (!picture || !pictureSource(picture.imageUrl)) return null;
  const image = html`<img src="${picture.imageUrl}" alt="${picture.altText}" referrerpolicy="no-referrer" />`;
  return picture.linkUrl
    ? html`<div class="banner"><a href="${picture.linkUrl}" rel="nofollow noopener noreferrer">${image}</a></div>`
    : html`<div class="banner">${image}</div>`;
}

function activePosts(slug: string, page: PublicPageView): Html {
  const planned = page.activePosts.filter(({ status }) => status === 'scheduled');
  const current = page.activePosts.filter((post) => !planned.includes(post));
  return html`${postSection('What is going on', slug, page, current)} ${postSection('Planned', slug, page, planned)}`;
}

function postSection(heading: string, slug: string, page: PublicPageView, posts: readonly PublicPost[]): Html | null {
  if (posts.length === 0) return null;
  return html`<section>
    <h2>${heading}</h2>
    ${posts.map((post) => postCard(slug, page, post))}
  </section>`;
}

async function systemGroup({ name, systems }: PublicPageView['groups'][number], work: BuildWork): Promise<Html> {
  const items: Html[] = [];
  for (const system of systems) items.push(await work.slice(() => systemItem(system)));
  return html`<section>
    <h2>${name}</h2>
    <ul class="systems">
      ${items}
    </ul>
  </section>`;
}

function systemItem(system: PublicPageView['groups'][number]['systems'][number]): Html {
  const longer = (system.timelines ?? []).filter(({ window }) => window !== '24h');
  return html`<li>
    <div class="row">
      <h3>${system.name}</h3>
      <span class="state ${system.status}">${STATUS_WORDS[system.status]}</span>
    </div>
    ${system.message && html`<p>${system.message}</p>`} ${spanBar('Last 24 hours', system.timeline)}
    <div class="ends soft"><span>24 hours ago</span><span>now</span></div>
    ${longer.map((window) => windowBars(window))}
  </li>`;
}

function windowBars(window: PublicPageView['timelines'][number]): Html {
  return html`${windowRow(window)} ${dailyBars(window)}`;
}

function windowRow(window: PublicPageView['timelines'][number]): Html {
  return html`<div class="row soft">
    <span>${WINDOW_WORDS[window.window]}</span><span>${percentText(window.uptimePercentage)}</span>
  </div>`;
}

function uptime({ timelines }: PublicPageView): Html | null {
  const longest = timelines.at(-1);
  if (!longest) return null;
  return html`<section>
    <h2>Uptime</h2>
    <div class="card">
      ${timelines.map((window) => (window.window === '24h' ? windowRow(window) : windowBars(window)))}
      <details id="days">
        <summary>Day by day</summary>
        <table>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Uptime</th>
          </tr>
          ${longest.perDay.toReversed().map(
            ({ date, uptimePercentage }) =>
              html`<tr>
                <td>${date}</td>
                <td>${percentText(uptimePercentage)}</td>
              </tr>`,
          )}
        </table>
      </details>
    </div>
  </section>`;
}

function subscribeForm(slug: string): Html {
  return html`<section class="subscribe">
    <h2>Hear of news by email</h2>
    <form method="post" action="/api/v1/public/status-page/${slug}/subscribers">
      <div>
        <label for="email">Email address</label
        ><input id="email" name="email" type="email" autocomplete="email" maxlength="254" required />
      </div>
      <button>Subscribe</button>
    </form>
    <p class="soft">You get a link to confirm first, and every mail has one to unsubscribe.</p>
  </section>`;
}

/** Removes the template's indentation. Only `pre` preserves blanks, and it has no tags at line starts. */
function squeeze(text: string): string {
  return text.replace(/>\s*\n\s+</g, '><').replace(/\n {2,}/g, ' ');
}

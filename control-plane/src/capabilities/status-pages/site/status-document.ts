import { PUBLIC_LOOKS } from '@watchpost/shared/design/states';
import { Html, html } from '../../../platform/http/html.js';
import { hashSource } from '../../../platform/pages/page-style.js';
import { describeTotals, sinceWatched, spanBar } from '../../../platform/pages/span-bar.js';
import { markShapes, stateMark } from '../../../platform/pages/state-mark.js';
import type { BuildWork } from '../build-work.js';
import type { PublicPageView } from '../public-page-schemas.js';
import { pictureSource } from '../status-page-schemas.js';
import { historyList } from './history-list.js';
import { LIVE_SCRIPT } from './live-script.js';
import { postCard } from './post-card.js';
import { STYLE } from './style.js';
import { dailyBars, daysRow, shownWindows, type ShownWindow } from './timeline-bars.js';
import { dayText, minuteText, momentText, percentText } from '@watchpost/shared/design/texts';
import { EMPTY_WORDS, OVERALL_WORDS } from './words.js';

const MARK_SHAPES = markShapes(['available', 'partial', 'unavailable', 'unknown', 'maintenance']);
const SCRIPT_ELEMENT = new Html(`<script>${LIVE_SCRIPT}</script>`);
/** Links lead to a tab of their own, because the console shows the preview in a frame. */
const PREVIEW_BASE = html`<base target="_blank" />`;
const PREVIEW_POLICY = `default-src 'none'; style-src ${STYLE.source}; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`;
const POLICY = `default-src 'none'; style-src ${STYLE.source}; script-src ${hashSource(LIVE_SCRIPT)}; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

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
  /** Whether it is for the workspace, in a frame of the console. */
  isPreview?: boolean;
}

/**
 * A status page as HTML: complete without scripts; with scripts it keeps itself current.
 * @param isPreview without scripts, and to be framed by pages of this origin alone
 */
export async function statusDocument(
  slug: string,
  page: PublicPageView,
  work: BuildWork,
  isPreview = false,
): Promise<StatusDocument> {
  const groups: Html[] = [];
  for (const group of page.groups) groups.push(await systemGroup(group, work));
  const posts = await activePosts(slug, page, work);
  const overall = page.isEmpty ? EMPTY_WORDS : OVERALL_WORDS[page.overallStatus];
  const state = PUBLIC_LOOKS[page.overallStatus].state;
  const content = html`<div id="live" data-overall="${page.isEmpty ? 'empty' : page.overallStatus}">
      <section class="overall ${!page.isEmpty && state}">
        ${!page.isEmpty && stateMark(state)}
        <h2>${overall}</h2>
        <span class="soft">As of ${momentText(Date.parse(page.updatedAt))}</span>
      </section>
      ${posts} ${maintenance(page)} ${groups} ${uptime(page)} ${page.history && historyList(slug, page)}
    </div>
    <p id="announcement" role="status" class="heard"></p>
    ${subscribeForm(slug)}`;
  const title = `${page.name}: ${overall}`;
  return work.slice(() => frameDocument({ slug, page, title, content, isLive: !isPreview, isPreview }));
}

export function frameDocument({
  slug,
  page,
  title,
  content,
  isLive,
  isPreview = false,
}: DocumentFrame): StatusDocument {
  const document = html`<!doctype html>
    <html lang="en" data-theme="${page.theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        ${isPreview && PREVIEW_BASE}
        <title>${title}</title>
        <meta name="description" content="${page.description || title}" />
        <link rel="alternate" type="application/atom+xml" title="${page.name}" href="/status/${slug}/feed.atom" />
        <link rel="alternate" type="text/calendar" title="Maintenance" href="/status/${slug}/maintenance.ics" />
        ${STYLE.element}
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        ${MARK_SHAPES}
        <header>
          ${banner(page)}
          <h1><a href="/status/${slug}">${page.name}</a></h1>
          ${page.description && html`<p>${page.description}</p>`}
        </header>
        <main id="content">${content}</main>
        <footer>
          <a href="/status/${slug}/feed.atom">Atom feed</a> ·
          <a href="/status/${slug}/maintenance.ics">Calendar of maintenance</a> · Watched by Watchpost
        </footer>
        ${isLive && SCRIPT_ELEMENT}
      </body>
    </html>`;
  return { html: document.text, policy: policyFor(page, isPreview ? PREVIEW_POLICY : POLICY) };
}

function policyFor({ banner: picture }: DocumentFrame['page'], policy: string): string {
  const source = picture && pictureSource(picture.imageUrl);
  return source ? `${policy}; img-src ${source}` : policy;
}

function banner({ banner: picture }: DocumentFrame['page']): Html | null {
  if (!picture || !pictureSource(picture.imageUrl)) return null;
  const image = html`<img src="${picture.imageUrl}" alt="${picture.altText}" referrerpolicy="no-referrer" />`;
  return picture.linkUrl
    ? html`<div class="banner"><a href="${picture.linkUrl}" rel="nofollow noopener noreferrer">${image}</a></div>`
    : html`<div class="banner">${image}</div>`;
}

async function activePosts(slug: string, page: PublicPageView, work: BuildWork): Promise<Html> {
  const planned: Html[] = [];
  const current: Html[] = [];
  for (const post of page.activePosts) {
    const card = await work.slice(() => postCard(slug, page, post));
    (post.status === 'scheduled' ? planned : current).push(card);
  }
  return html`${postSection('What is going on', current)} ${postSection('Planned', planned)}`;
}

function maintenance({ upcomingMaintenance, groups }: PublicPageView): Html | null {
  if (upcomingMaintenance.length === 0) return null;
  const systems = groups.flatMap((group) => group.systems);
  return html`<section>
    <h2>Maintenance</h2>
    ${upcomingMaintenance.map(({ name, description, start, end, systemIds }) => {
      const affected = systems.filter(({ id }) => systemIds.includes(id)).map((system) => system.name);
      return html`<article class="card">
        <h3>${name}</h3>
        <p class="soft">${momentText(Date.parse(start))} to ${momentText(Date.parse(end))}</p>
        ${description && html`<p>${description}</p>`}
        ${affected.length > 0 && html`<p>Affected: ${affected.join(', ')}</p>`}
      </article>`;
    })}
  </section>`;
}

function postSection(heading: string, cards: readonly Html[]): Html | null {
  if (cards.length === 0) return null;
  return html`<section>
    <h2>${heading}</h2>
    ${cards}
  </section>`;
}

async function systemGroup({ name, systems }: PublicPageView['groups'][number], work: BuildWork): Promise<Html> {
  const items: Html[] = [];
  for (const system of systems) items.push(await work.slice(() => systemItem(system)));
  return html`<section>
    <h2>${name}</h2>
    <ul class="systems card">
      ${items}
    </ul>
  </section>`;
}

function systemItem(system: PublicPageView['groups'][number]['systems'][number]): Html {
  return html`<li>
    <div class="row">
      <h3>${system.name}</h3>
      <span class="state ${PUBLIC_LOOKS[system.status].state}"
        >${stateMark(PUBLIC_LOOKS[system.status].state)}${PUBLIC_LOOKS[system.status].word}</span
      >
    </div>
    ${system.message && html`<p>${system.message}</p>`} ${lastDay(system)} ${daysRow(system.days)}
  </li>`;
}

/** The last 24 hours, or since the system is watched. */
function lastDay({ timeline, watchedSince }: PublicPageView['groups'][number]['systems'][number]): Html {
  const spans = sinceWatched(timeline, watchedSince);
  const first = spans[0];
  if (!first) return html`<p class="soft">No checks yet.</p>`;
  const isWhole = first.start === timeline[0]!.start;
  const since = `since ${minuteText(Date.parse(first.start))} UTC`;
  const totals = describeTotals(spans);
  return html`${spanBar(isWhole ? 'Last 24 hours' : `Watched ${since}`, spans)}
    <div class="ends">
      <span>${isWhole ? '24 hours ago' : `Watched ${since}`}</span>${totals && html`<span>${totals}</span>`}<span
        >now</span
      >
    </div>`;
}

function windowRow(shown: ShownWindow): Html {
  return html`<div class="window">
    <span>${shown.words}</span>${shown.window !== '24h' && dailyBars(shown)}<strong
      >${percentText(shown.uptimePercentage)}</strong
    >
  </div>`;
}

function uptime({ timelines, groups }: PublicPageView): Html | null {
  const since = groups.flatMap(({ systems }) => systems.flatMap(({ watchedSince }) => watchedSince ?? []));
  const shown = shownWindows(timelines, since.toSorted()[0] ?? null);
  const longest = shown.at(-1);
  if (!longest) return null;
  return html`<section>
    <h2>Uptime</h2>
    <div class="card">
      ${shown.map((window) => windowRow(window))}
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
                <td>${dayText(Date.parse(date))}</td>
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
    <h2>News by email</h2>
    <div class="card">
      <form method="post" action="/api/v1/public/status-page/${slug}/subscribers">
        <div>
          <label for="email">Email address</label
          ><input id="email" name="email" type="email" autocomplete="email" maxlength="254" required />
        </div>
        <button>Subscribe</button>
      </form>
      <p class="soft">You get a link to confirm first, and every mail has one to unsubscribe.</p>
    </div>
  </section>`;
}

import { POST_LOOKS } from '@watchpost/shared/design/states';
import { groupBy } from '@watchpost/shared/group-by';
import { type Html, html } from '../../../platform/http/html.js';
import type { PublicHistoryEntry, PublicPageView } from '../public-page-schemas.js';
import { systemNames } from './post-card.js';
import { dayText, lengthText, minuteText } from '@watchpost/shared/design/texts';
import { outageWord } from './words.js';

const SHOWN = 30;

/** The events of the last 30 days, by the day on which they began. */
export function historyList(slug: string, page: PublicPageView): Html {
  const entries = (page.history ?? []).slice(0, SHOWN);
  const days = groupBy(entries, ({ started }) => dayText(Date.parse(started)));
  return html`<section>
    <h2>Past 30 days</h2>
    <div class="card">
      ${
        entries.length === 0
          ? html`<p class="soft">No outages and no news.</p>`
          : html`<ul class="days">
              ${[...days].map(
                ([day, of]) =>
                  html`<li>
                    <h3>${day}</h3>
                    <ul>
                      ${of.map((entry) => historyItem(slug, page, entry))}
                    </ul>
                  </li>`,
              )}
            </ul>`
      }
    </div>
  </section>`;
}

function historyItem(slug: string, page: PublicPageView, entry: PublicHistoryEntry): Html {
  const { post } = entry;
  if (post) {
    return html`<li>
      <a href="/status/${slug}/posts/${post.id}">${post.title}</a> · ${POST_LOOKS[post.status].word}
    </li>`;
  }
  return html`<li>${outageText(page, entry)}</li>`;
}

/** An outage as a sentence: `Shop: outage from 10:05 UTC, 15 min`; with its day where no heading shows it. */
export function outageText(
  page: PublicPageView,
  outage: Omit<PublicHistoryEntry, 'type' | 'post'>,
  momentOf = (ms: number) => `${minuteText(ms)} UTC`,
): string {
  const { started, ended, systemIds } = outage;
  const severity = ended === null ? outage.severity : (outage.worstSeverity ?? outage.severity);
  const from = Date.parse(started);
  const length = ended === null ? 'still going on' : lengthText(Date.parse(ended) - from);
  return `${systemNames(page, systemIds) || 'A system'}: ${outageWord(severity)} from ${momentOf(from)}, ${length}`;
}

import type { ImportContext, SectionOf, TakenItem } from './import-context.js';
import { type Fields, flagOf, numberOf, type Row, textOf } from '../import/rows.js';
import { quoted } from '../import/import-report.js';
import { countOf } from '../output/format-time.js';
import { idOf, rowsOf } from './installation.js';
import { Keys, nameFor, type Taken, unique } from '../import/names.js';

const MOST_GROUPS = 50;
const MOST_SYSTEMS = 100;
const MOST_DESCRIPTION = 2_000;
const LEAST_SLUG = 3;
const MOST_SLUG = 63;
const USUAL_REFRESH_S = 300;
const THEMES = ['light', 'dark', 'auto'];

/** What a page of Uptime Kuma can have and one of Watchpost cannot, by column. */
const UNTAKEN: Readonly<Record<string, string>> = {
  password: 'has no password',
  footer_text: 'has no footer',
  custom_css: 'has no style sheet of its own',
  google_analytics_tag_id: 'has no analytics',
  analytics_id: 'has no analytics',
  rss_title: 'its feed has the name of the page',
};

export interface ConvertedPages {
  section: SectionOf;
  keys: ReadonlyMap<number, string>;
}

export function convertStatusPages(context: ImportContext, monitors: ReadonlyMap<number, TakenItem>): ConvertedPages {
  const { installation, report } = context;
  const keys = new Keys();
  const slugs: Taken = new Map();
  const section: SectionOf = {};
  const keyById = new Map<number, string>();
  for (const row of rowsOf(installation, 'status_page')) {
    const id = idOf(row);
    const name = nameFor(textOf(row, 'title'), `Status page ${id}`);
    const key = keys.next(name, `page-${id}`);
    const slug = slugFor(textOf(row, 'slug') ?? '', slugs);
    const differences = pageDifferences(row);
    if (slug !== textOf(row, 'slug')) differences.push(`has the address /status/${slug}`);
    const description = (textOf(row, 'description') ?? '').slice(0, MOST_DESCRIPTION);
    const theme = textOf(row, 'theme') ?? 'auto';
    section[key] = {
      name,
      slug,
      ...(description === '' ? {} : { description }),
      isPublished: flagOf(row, 'published'),
      theme: THEMES.includes(theme) ? theme : 'auto',
      groups: groupsOf(context, id, monitors, differences),
    };
    keyById.set(id, key);
    report.partly('status page', name, differences);
  }
  reportRest(context, keyById);
  return { section, keys: keyById };
}

function slugFor(text: string, taken: Taken): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9-]+/g, '-')
    .slice(0, MOST_SLUG - 4);
  const base = plain.length < LEAST_SLUG ? `status-${plain || 'page'}` : plain;
  return unique(base, '-', taken);
}

function pageDifferences(row: Row): string[] {
  const differences = Object.entries(UNTAKEN).flatMap(([column, difference]) =>
    textOf(row, column) === null ? [] : [difference],
  );
  if (flagOf(row, 'show_tags')) differences.push('shows no tags');
  if (flagOf(row, 'show_certificate_expiry')) differences.push('does not show when certificates expire');
  if (flagOf(row, 'show_only_last_heartbeat')) differences.push('shows the timeline of a day');
  if (row['search_engine_index'] !== undefined && !flagOf(row, 'search_engine_index'))
    differences.push('does not ask search engines to leave it out');
  const refreshS = numberOf(row, 'auto_refresh_interval') ?? USUAL_REFRESH_S;
  if (refreshS !== USUAL_REFRESH_S) differences.push(`is not drawn anew every ${refreshS} s by its own setting`);
  const icon = textOf(row, 'icon');
  if (icon !== null && icon !== '/icon.svg') differences.push('has no icon of its own');
  return [...new Set(differences)];
}

const byWeight = (a: Row, b: Row) => (numberOf(a, 'weight') ?? 0) - (numberOf(b, 'weight') ?? 0) || idOf(a) - idOf(b);

function groupsOf(
  { installation }: ImportContext,
  pageId: number,
  monitors: ReadonlyMap<number, TakenItem>,
  differences: string[],
): Fields[] {
  const shown = new Set<string>();
  const rows = rowsOf(installation, 'group').filter((row) => numberOf(row, 'status_page_id') === pageId);
  const groups = rows.toSorted(byWeight);
  const left = groups.slice(MOST_GROUPS).map((row) => nameFor(textOf(row, 'name'), `Group ${idOf(row)}`));
  if (left.length > 0)
    differences.push(`has no more than ${MOST_GROUPS} groups, without ${left.map(quoted).join(', ')}`);
  return groups.slice(0, MOST_GROUPS).map((row): Fields => {
    const name = nameFor(textOf(row, 'name'), `Group ${idOf(row)}`);
    const links = rowsOf(installation, 'monitor_group').filter((link) => numberOf(link, 'group_id') === idOf(row));
    const systems = links.toSorted(byWeight).flatMap((link): Fields[] => {
      const id = numberOf(link, 'monitor_id') ?? 0;
      const monitor = monitors.get(id);
      const title = quoted(monitor?.name ?? monitorName(installation, id));
      if (flagOf(link, 'send_url') || textOf(link, 'custom_url') !== null) differences.push(`has no link for ${title}`);
      if (!monitor) differences.push(`does not show ${title}, which is no monitor here`);
      else if (shown.has(monitor.key)) differences.push(`shows ${title} once`);
      else if (shown.size >= MOST_SYSTEMS) differences.push(`shows ${MOST_SYSTEMS} monitors at most, without ${title}`);
      else {
        shown.add(monitor.key);
        return [{ name: monitor.name, monitor: monitor.key }];
      }
      return [];
    });
    return { name, systems };
  });
}

function monitorName(installation: ImportContext['installation'], id: number): string {
  const row = rowsOf(installation, 'monitor').find((one) => idOf(one) === id);
  return (row && textOf(row, 'name')) ?? `monitor ${id}`;
}

/** What belongs to no page, and what pages show beside monitors. */
function reportRest({ installation, report }: ImportContext, pages: ReadonlyMap<number, string>): void {
  for (const row of rowsOf(installation, 'group'))
    if (!pages.has(numberOf(row, 'status_page_id') ?? 0))
      report.untaken(
        'group of a status page',
        nameFor(textOf(row, 'name'), `Group ${idOf(row)}`),
        'its page does not exist',
      );
  const groups = new Set(rowsOf(installation, 'group').map(idOf));
  const lost = rowsOf(installation, 'monitor_group').filter((row) => !groups.has(numberOf(row, 'group_id') ?? 0));
  if (lost.length > 0)
    report.add(`${countOf(lost.length, 'link')} of monitors to groups of status pages: the group does not exist`);
  for (const row of rowsOf(installation, 'incident'))
    report.untaken(
      'post',
      textOf(row, 'title') ?? `post ${idOf(row)}`,
      'documents have no posts: write it on the page',
    );
  for (const row of rowsOf(installation, 'status_page_cname'))
    report.untaken(
      'domain',
      textOf(row, 'domain') ?? '',
      'status pages have no domains of their own: redirect it to the page',
    );
}

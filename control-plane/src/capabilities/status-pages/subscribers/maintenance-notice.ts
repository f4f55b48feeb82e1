import { lengthText, momentText } from '@watchpost/shared/design/texts';
import { escapeMarkdown } from '../site/render-markdown.js';
import type { MaintenanceNews } from './decide-maintenance-notices.js';
import type { Notice } from './subscription-mails.js';

type Noticed = Exclude<MaintenanceNews, { kind: 'forgotten' }>;

/**
 * The notice of a change of maintenance.
 * @param systems the names of the affected systems of the page, where it names them
 */
export function maintenanceNotice(news: Noticed, pageName: string, systems: readonly string[], nowMs: number): Notice {
  const { name } = 'coming' in news ? news.coming : news.known;
  const title = TITLES[news.kind](news, nowMs);
  const facts = factsOf(news, systems, nowMs).filter((fact) => fact !== '');
  return {
    subject: `[${pageName}] ${title}: ${name}`,
    body: [`**${title}: ${escapeMarkdown(name)}**`, ...facts.map(escapeMarkdown)].join('\n\n'),
    postId: null,
  };
}

const TITLES: Readonly<Record<Noticed['kind'], (news: Noticed, nowMs: number) => string>> = {
  planned: (news, nowMs) => ('coming' in news && news.coming.startMs <= nowMs ? 'Maintenance' : 'Planned maintenance'),
  moved: () => 'Maintenance moved',
  resized: () => 'Maintenance changed',
  cancelled: () => 'Maintenance cancelled',
  over: () => 'Maintenance over',
};

function factsOf(news: Noticed, systems: readonly string[], nowMs: number): string[] {
  switch (news.kind) {
    case 'planned':
      return [systems.join(', '), `${timeText(news.coming)}.`, news.coming.description];
    case 'moved':
      return [
        systems.join(', '),
        `It does not take place ${inText(timeText(news.known))}.`,
        `The new time: ${inText(timeText(news.coming))}.`,
        news.coming.description,
      ];
    case 'resized':
      return [
        `It ${news.known.startMs <= nowMs ? 'began' : 'begins'} at ${momentText(news.known.startMs)}.`,
        `It ends at ${momentText(news.endMs)}, not at ${momentText(news.known.endMs)}.`,
      ];
    case 'cancelled':
      return [`It does not take place ${inText(timeText(news.known))}.`];
    case 'over':
      return [`It ended at ${momentText(news.endMs)}.`];
  }
}

/** `From 21 Nov 2026, 10:00 UTC to 21 Nov 2026, 12:00 UTC (2 h)`. */
function timeText({ startMs, endMs }: { startMs: number; endMs: number }): string {
  return `From ${momentText(startMs)} to ${momentText(endMs)} (${lengthText(endMs - startMs)})`;
}

function inText(sentence: string): string {
  return sentence[0]!.toLowerCase() + sentence.slice(1);
}

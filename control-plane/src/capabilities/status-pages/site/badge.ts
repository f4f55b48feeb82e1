import { PUBLIC_LOOKS } from '@watchpost/shared/design/states';
import { COLORS } from '@watchpost/shared/design/tokens';
import { escapeHtml } from '../../../platform/http/html.js';
import type { PublicPageView } from '../public-page-schemas.js';

export const SVG_TYPE = 'image/svg+xml; charset=utf-8';
const LABEL = 'status';
/** Average width of a character of 13 px Verdana; `textLength` then fits the text to its space. */
const CHARACTER_PX = 7.8;
const PADDING_PX = 6;

/** The overall status as a small picture for other sites. */
export function badge({ overallStatus: status, isEmpty }: Pick<PublicPageView, 'overallStatus' | 'isEmpty'>): string {
  const text = isEmpty ? 'nothing shown yet' : PUBLIC_LOOKS[status].word.toLowerCase();
  const [left, right] = [widthOf(LABEL), widthOf(text)];
  const width = left + right;
  const label = escapeHtml(`${LABEL}: ${text}`);
  const place = (x: number, part: string, length: number) =>
    `<text x="${x + PADDING_PX}" y="14" textLength="${length - 2 * PADDING_PX}">${escapeHtml(part)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${label}"><title>${label}</title><clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath><g clip-path="url(#r)"><rect width="${left}" height="20" fill="${COLORS.ink[0]}"/><rect x="${left}" width="${right}" height="20" fill="${COLORS[PUBLIC_LOOKS[status].state][0]}"/></g><g fill="#fff" font-family="Verdana,Geneva,sans-serif" font-size="13">${place(0, LABEL, left)}${place(left, text, right)}</g></svg>`;
}

function widthOf(text: string): number {
  return Math.round(text.length * CHARACTER_PX) + 2 * PADDING_PX;
}

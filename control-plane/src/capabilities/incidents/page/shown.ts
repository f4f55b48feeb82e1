import { cleanText } from '@watchpost/shared/clean-line';
import { DAY_MS } from '@watchpost/shared/time';
import { type Html, html } from '../../../platform/http/html.js';
import { momentText, secondText } from '../../../platform/pages/moment-text.js';
import { redactBody, redactText } from './redact-text.js';

/** How this page tells what others wrote, and when: nothing secret, nothing unseen, on its reader's clock. */
export interface Shown {
  text(text: string, most: number): string;
  body(text: string): string;
  /** ISO 8601 or ms; with the day only where that is not the day of the incident. */
  time(at: string | number): Html;
}

export function createShown(secrets: readonly string[], zone: string, aboutMs: number): Shown {
  return {
    text: (text, most) => cleanText(redactText(text, secrets), most),
    body: (text) => redactBody(text, secrets),
    time(at) {
      const ms = typeof at === 'number' ? at : Date.parse(at);
      if (!Number.isFinite(ms)) return html`at a time that is not known`;
      const words = Math.abs(ms - aboutMs) < DAY_MS / 2 ? secondText(ms, zone) : momentText(ms, zone, 'second');
      return html`<time datetime="${new Date(ms).toISOString()}">${words}</time>`;
    },
  };
}

import { cleanText } from '@watchpost/shared/clean-line';
import { DAY_MS } from '@watchpost/shared/time';
import { type Html, html } from '../../../platform/http/html.js';
import { momentText, secondText } from '@watchpost/shared/design/texts';
import { redactBody, redactText } from './redact-text.js';

/** Prepares foreign text and times for the document: secrets masked, control characters removed, times in the workspace's zone. */
export interface Presenter {
  text(text: string, most: number): string;
  body(text: string): string;
  /** @param at ISO 8601 or ms since the epoch; the day is shown only more than 12 h from the incident's start */
  time(at: string | number): Html;
}

export function createPresenter(secrets: readonly string[], zone: string, aboutMs: number): Presenter {
  return {
    text: (text, most) => cleanText(redactText(text, secrets), most),
    body: (text) => redactBody(text, secrets),
    time(at) {
      const ms = typeof at === 'number' ? at : Date.parse(at);
      if (!Number.isFinite(ms)) return html`at an unknown time`;
      const words = Math.abs(ms - aboutMs) < DAY_MS / 2 ? secondText(ms, zone) : momentText(ms, zone, 'second');
      return html`<time datetime="${new Date(ms).toISOString()}">${words}</time>`;
    },
  };
}

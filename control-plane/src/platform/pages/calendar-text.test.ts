import { expect } from 'chai';
import fc from 'fast-check';
import { calendarText } from './calendar-text.js';

const nowMs = Date.UTC(2026, 10, 21, 12);
const SHOP = { name: 'Shop', product: 'On call' };
const event = { uid: 'a@watchpost', startMs: nowMs, endMs: nowMs + 3_600_000, summary: 'Ann' };

/** RFC 5545 §3.1 read backwards: lines, unfolded. */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n');
const unescape = (text: string) =>
  text.replaceAll(/\\(.)/gs, (_, character: string) => (character === 'n' ? '\n' : character));

describe('a calendar', () => {
  it('is an iCalendar text in UTC', () => {
    expect(linesOf(calendarText(SHOP, [event], nowMs))).to.deep.equal([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Watchpost//On call//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'NAME:Shop',
      'X-WR-CALNAME:Shop',
      'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
      'BEGIN:VEVENT',
      'UID:a@watchpost',
      'DTSTAMP:20261121T120000Z',
      'DTSTART:20261121T120000Z',
      'DTEND:20261121T130000Z',
      'SUMMARY:Ann',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('gives any name back as it was, in lines of at most 75 octets that cut no character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
        const text = calendarText(SHOP, [{ ...event, summary: name }], nowMs);
        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).to.be.at.most(75);
          expect(line, 'half a surrogate pair').to.not.match(/\p{Surrogate}/u);
        }
        const summary = linesOf(text).find((line) => line.startsWith('SUMMARY:'))!;
        expect(unescape(summary.slice('SUMMARY:'.length))).to.equal(name.replaceAll(/[^\P{Cc}\t\n]/gu, ''));
      }),
    );
  });

  it('lets nobody break out of a name into a property', () => {
    const text = calendarText(
      { ...SHOP, name: 'x\r\nBEGIN:VEVENT' },
      [{ ...event, summary: 'a;b,c\\d\nATTACH:evil' }],
      nowMs,
    );
    expect(linesOf(text)).to.include(String.raw`SUMMARY:a\;b\,c\\d\nATTACH:evil`);
    expect(linesOf(text)).to.include(String.raw`NAME:x\nBEGIN:VEVENT`);
  });

  it('shows what was changed or cancelled, as of then', () => {
    const changed = { changedMs: nowMs - 60_000, sequence: 7, isCancelled: true, url: 'https://status.example/acme' };
    const lines = linesOf(calendarText(SHOP, [{ ...event, ...changed }], nowMs));
    expect(lines).to.include.members([
      'DTSTAMP:20261121T115900Z',
      'LAST-MODIFIED:20261121T115900Z',
      'SEQUENCE:7',
      'STATUS:CANCELLED',
      'URL:https://status.example/acme',
    ]);
  });

  it('leaves out what is shorter than a second', () => {
    expect(calendarText(SHOP, [{ ...event, endMs: nowMs + 999 }], nowMs)).to.not.include('VEVENT');
  });
});

import { expect } from 'chai';
import { incidentSpans } from './incident-spans.js';

const NOW = Date.UTC(2026, 10, 21, 12);

describe('what a chart marks of incidents', () => {
  it('is their time, until now where they go on, with a text', () => {
    const started = new Date(NOW - 600_000).toISOString();
    const ended = new Date(NOW - 300_000).toISOString();
    const [past, open] = incidentSpans(
      [
        { started, ended, failureReason: 'Refused.' },
        { started, ended: null, failureReason: 'Refused.' },
      ],
      NOW,
    );
    expect(past).to.include({ startMs: NOW - 600_000, endMs: NOW - 300_000 });
    expect(past!.text).to.match(/^Incident from .*, for 5 min: Refused\.$/);
    expect(open).to.include({ endMs: NOW });
    expect(open!.text).to.include('going on for 10 min');
  });
});

import { expect } from 'chai';
import type { IncidentSummary, ToldEvent } from './alert-message.js';
import { composeMessage } from './compose-message.js';
import { smsSummary, smsText } from './sms-text.js';

const BASE = 'https://watch.example';
const LINKS = { baseUrl: BASE, evidenceUrl: (incidentId: string) => `${BASE}/incident/${incidentId}` };
const START = Date.UTC(2026, 10, 21, 12);
const incident: IncidentSummary = {
  id: '01a1fdfa-4600-760e-914b-5414a73c0fcd',
  workspaceId: 'w',
  monitorId: 'm',
  monitorName: 'Shop',
  incidentType: 'Availability',
  status: 'Ongoing',
  isClosed: false,
  severity: 'down',
  regions: ['northeurope', 'eastus2'],
  acknowledged: false,
  started: '2026-11-21T12:00:00+00:00',
  ended: null,
  failureReason: 'The server at 203.0.113.7:443 refused the connection.',
  created: '2026-11-21T12:00:00+00:00',
  lastModified: '2026-11-21T12:00:00+00:00',
};
const event = (
  type: ToldEvent['type'],
  more: Partial<IncidentSummary> | null = {},
  detail: Record<string, unknown> = {},
  person: string | null = null,
): ToldEvent => ({
  id: 'e',
  workspaceId: 'w',
  type,
  atMs: START + 90_000,
  detail,
  subject: {
    workspaceName: 'Acme',
    monitor: { id: 'm', name: 'Shop', url: 'https://shop.example/', monitorTypes: ['HttpAvailability'] },
    incident: more && { ...incident, ...more },
    person,
  },
});
const titleOf = (told: ToldEvent) => composeMessage(told, LINKS).title;

describe('what people are told', () => {
  it('is what is wrong', () => {
    expect(titleOf(event('incident.opened'))).to.equal('Down: Shop');
    expect(titleOf(event('incident.opened', { severity: 'partial' }))).to.equal('Partly down: Shop');
    expect(titleOf(event('incident.opened', { incidentType: 'Latency', severity: 'warning' }))).to.equal('Slow: Shop');
    expect(titleOf(event('incident.opened', { incidentType: 'SslExpiry' }))).to.equal('Certificate at fault: Shop');
    expect(titleOf(event('incident.opened', { incidentType: 'Dns' }))).to.equal('DNS at fault: Shop');
  });

  it('is since when, from where, what was seen and what to do', () => {
    const { sentences, facts } = composeMessage(event('incident.opened'), LINKS);
    expect(
      facts.map(({ name }) => name),
      'nothing is said twice',
    ).to.deep.equal(['Monitor', 'Workspace']);
    expect(sentences).to.deep.equal([
      'Since 21 Nov 2026, 12:00 UTC, seen from northeurope, eastus2.',
      'The server at 203.0.113.7:443 refused the connection.',
      'Acknowledge the incident, so that others know that you work on it.',
    ]);
  });

  it('is how long it lasted when it is over, and who ended it', () => {
    const over = { isClosed: true, ended: '2026-11-21T12:01:05+00:00' };
    expect(composeMessage(event('incident.resolved', over), LINKS).sentences).to.deep.equal([
      'All is well again. It lasted 1 min 5 s.',
    ]);
    const byAnn = composeMessage(event('incident.resolved', over, {}, 'Ann'), LINKS);
    expect(byAnn.sentences[0]).to.equal('The incident was closed by Ann.');
    const paused = composeMessage(event('incident.resolved', over, { reason: 'The monitor was deleted.' }), LINKS);
    expect([paused.title, paused.tone]).to.deep.equal(['Closed: Shop', 'info']);
  });

  it('is who works on it', () => {
    const { sentences } = composeMessage(event('incident.acknowledged', {}, {}, 'Ann'), LINKS);
    expect(sentences[0]).to.equal('The incident was acknowledged by Ann: somebody works on it.');
  });

  it('is every other change in words of its own', () => {
    const changed = (change: string, more: object = {}) =>
      titleOf(event('incident.updated', more, { change, status: 'Investigating' }));
    expect(changed('recovered', { ended: '2026-11-21T12:01:00+00:00' })).to.equal('Recovered: Shop');
    expect(changed('relapsed')).to.equal('Down again: Shop');
    expect(changed('unacknowledged')).to.equal('No longer acknowledged: Shop');
    expect(changed('status')).to.equal('Update: Shop');
    expect(changed('severity', { severity: 'partial' })).to.equal('Partly down: Shop');
  });

  it('is a note with its lines, and not its control characters', () => {
    const { sentences } = composeMessage(event('incident.note_added', {}, { note: 'one\r\ntwo\u0007' }, 'Ann'), LINKS);
    expect(sentences).to.deep.equal(['A note was added by Ann:', 'one\ntwo']);
  });

  it('is when a certificate runs out, and which records changed', () => {
    const soon = event('monitor.certificate_expiring', null, { daysUntilExpiry: 1, validTo: '2026-11-22T00:00:00Z' });
    expect(titleOf(soon)).to.equal('Certificate expires in 1 day: Shop');
    const changes = [{ type: 'A', added: ['192.0.2.2'], removed: ['192.0.2.1'] }];
    expect(composeMessage(event('monitor.dns_changed', null, { changes }), LINKS).sentences).to.deep.equal([
      'The DNS records changed.',
      'added A 192.0.2.2',
      'removed A 192.0.2.1',
    ]);
  });

  it('has links to this service alone', () => {
    const links = (acknowledgeUrl: string) =>
      composeMessage(event('incident.opened'), LINKS, { acknowledgeUrl }).links.map(({ label }) => label);
    expect(links(`${BASE}/ack/abc`)).to.deep.equal(['Acknowledge', 'See the evidence']);
    expect(links('https://watch.example.evil.example/ack')).to.deep.equal(['See the evidence']);
  });

  it('has the page with the evidence of an incident, and no such page where there is none', () => {
    const [link] = composeMessage(event('incident.acknowledged'), LINKS).links;
    expect(link).to.deep.equal({ label: 'See the evidence', url: `${BASE}/incident/${incident.id}` });
    const { links } = composeMessage(event('monitor.dns_changed', null), LINKS);
    expect(links.map(({ url }) => url)).to.deep.equal([`${BASE}/api/v1/monitor/m`]);
    expect(
      composeMessage(
        { ...event('test', null), subject: { ...event('test').subject, monitor: null, incident: null } },
        LINKS,
      ).links,
    ).to.deep.equal([]);
  });
});

describe('an SMS', () => {
  const url = `${BASE}/ack/${'a'.repeat(60)}`;
  it('keeps the link to acknowledge, however long the rest is', () => {
    const long = event('incident.opened', { failureReason: 'x '.repeat(500) });
    const text = smsText(composeMessage(long, LINKS, { acknowledgeUrl: url }));
    expect(text.endsWith(` Acknowledge: ${url}`)).to.equal(true);
    expect(text.length).to.be.at.most(306);
  });
  it('has the link to the evidence in front of it, and leaves that out where nothing else would fit', () => {
    const told = event('incident.opened', { failureReason: 'x '.repeat(500) });
    const page = smsText(composeMessage(told, LINKS, { acknowledgeUrl: url }));
    expect(page).to.match(/ Evidence: https:\S+ Acknowledge: https:\S+$/);
    expect(smsText(composeMessage(told, LINKS))).to.match(/ Evidence: https:\S+$/);
    const far = { ...LINKS, evidenceUrl: () => `${BASE}/${'a'.repeat(120)}` };
    const tight = smsText(composeMessage(told, far, { acknowledgeUrl: url }));
    expect(tight).to.not.include('Evidence');
    expect(tight.endsWith(` Acknowledge: ${url}`)).to.equal(true);
    expect(tight.length).to.be.at.most(306);
  });
  it('sums up what was held back, the newest last', () => {
    const messages = Array.from({ length: 14 }, () => composeMessage(event('incident.opened'), LINKS));
    const text = smsSummary([...messages, composeMessage(event('incident.resolved'), LINKS)]);
    expect(text).to.match(
      /^Watchpost: 15 alerts: Down: Shop; .*Recovered: Shop; and 5 before\. Evidence of the last: https:\S+$/,
    );
  });
});

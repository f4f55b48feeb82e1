import { expect } from 'chai';
import type { Notification } from './alert-message.js';
import { composeJointMessage, latestOfEach, MOST_DESCRIBED } from './compose-joint-message.js';
import { composeMessage } from './compose-message.js';
import { mailMessage } from './mail-message.js';
import { smsSummary } from './sms-text.js';

const BASE = 'https://watch.example';
const links = { baseUrl: BASE, evidenceUrl: (id: string) => `${BASE}/incident/${id}` };
const ALL = `${BASE}/ack/all`;

function notification(place: number, type: 'incident.opened' | 'incident.resolved' = 'incident.opened'): Notification {
  const started = '2026-11-23T09:00:00Z';
  const over = type === 'incident.resolved';
  const incident = {
    id: `incident-${place}`,
    workspaceId: 'w',
    monitorId: `monitor-${place}`,
    monitorName: `Site ${place}`,
    incidentType: 'Availability' as const,
    status: over ? 'Resolved' : 'Ongoing',
    isClosed: over,
    severity: 'down' as const,
    regions: ['northeurope'],
    acknowledged: false,
    started,
    ended: over ? '2026-11-23T09:05:00Z' : null,
    failureReason: `Reason ${place}.`,
    created: started,
    lastModified: started,
  };
  return {
    event: {
      id: `event-${place}-${type}`,
      workspaceId: 'w',
      type,
      atMs: Date.parse('2026-11-23T09:06:00Z'),
      detail: {},
      subject: { workspaceName: 'Acme', monitor: null, incident, person: null },
    },
    extra: over
      ? { why: 'You were paged for this.', acknowledgeAllUrl: ALL }
      : { why: 'You are on call for Web.', acknowledgeUrl: `${BASE}/ack/${place}`, acknowledgeAllUrl: ALL },
  };
}
const several = (count: number) => Array.from({ length: count }, (_, place) => notification(place));

describe('A message about several incidents', () => {
  it('describes the first ones, counts the others, and refers to the threads of those that it describes', () => {
    const message = composeJointMessage(several(37), links);
    expect(message.title).to.equal('37 incidents: Site 0, Site 1, Site 2 and 34 more');
    expect(message.items).to.have.length(MOST_DESCRIBED);
    expect(message.sentences.filter((text) => text === 'You are on call for Web.')).to.have.length(1);
    expect(message.sentences.at(-1)).to.equal('The first 20 are described here, 17 more are not.');
    const mail = mailMessage('ann@example.test', message);
    expect([mail.thread, ...mail.otherThreads!]).to.deep.equal(
      several(20).map(({ event }) => event.subject.incident!.id),
    );
    expect(mail.text).to.include(`Acknowledge all: ${ALL}`).and.include(`Acknowledge: ${BASE}/ack/19`);
    expect(mail.text).to.include('Reason 19.').and.not.include('Reason 20.');
    expect(mail.html).to.include(`<a href="${ALL}">Acknowledge all</a>`);
  });
  it('states which are over', () => {
    const over = [notification(0, 'incident.resolved'), notification(1, 'incident.resolved')];
    expect(composeJointMessage(over, links).title).to.equal('2 incidents are over: Site 0, Site 1');
    const mixed = composeJointMessage([...over, notification(2)], links);
    expect(mixed.title).to.equal('3 incidents, 2 of them over: Site 0, Site 1, Site 2');
    expect(mixed.tone, 'the worst one decides').to.equal('bad');
  });
  it('contains an incident once, as it was last', () => {
    const latest = latestOfEach([notification(0), notification(1), notification(0, 'incident.resolved')]);
    expect(latest.map(({ event }) => event.id)).to.deep.equal(['event-0-incident.resolved', 'event-1-incident.opened']);
  });
  it('has no link outside the service', () => {
    const [one, two] = several(2) as [Notification, Notification];
    const message = composeJointMessage(
      [{ ...one, extra: { acknowledgeAllUrl: 'https://evil.example/x' } }, two],
      links,
    );
    expect(JSON.stringify(message)).to.not.include('evil');
  });
  it('acknowledges all by one link in an SMS', () => {
    const messages = several(12).map(({ event, extra }) => composeMessage(event, links, extra));
    const text = smsSummary(messages, ALL);
    expect(text)
      .to.match(/^Watchpost: 12 alerts: .*; and 2 before\./)
      .and.include(` Acknowledge all: ${ALL}`);
    expect(text).to.not.include(`${BASE}/ack/11`);
  });
});

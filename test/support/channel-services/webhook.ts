import { cleanLine } from '@watchpost/shared/clean-line';
import type { Json } from '../product.js';
import { type ChannelService, demand, jsonOf, type Seen } from './channel-service.js';

/** The words by which people distinguish the events of the API. */
const WORDS: Readonly<Record<string, (data: Json) => string>> = {
  'incident.opened': () => 'Down',
  'incident.acknowledged': () => 'Acknowledged',
  'incident.updated': ({ incident }) => (incident.severity === 'partial' ? 'Partly down' : 'Down'),
  'incident.resolved': () => 'Recovered',
  'incident.note_added': () => 'Note',
  'monitor.certificate_expiring': () => 'Certificate expires',
  'monitor.dns_changed': () => 'DNS changed',
  'monitor.domain_expiring': () => 'Domain expires',
  test: () => 'Test',
};

/** A receiver of webhooks, which checks the form of the event and recognises a message that it has (Standard Webhooks). */
export const webhook: ChannelService = {
  group: (url) => ({ url: `${url}/in` }),
  read(call) {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
      demand(call.headers[name], `there is no ${name}`);
    const given = jsonOf(call);
    const seen = given.type === 'digest' ? given.data.items.map(readEvent) : [readEvent(given)];
    return { text: seen.map(({ text }: Seen) => text).join('\n'), links: seen.flatMap(({ links }: Seen) => links) };
  },
  keyOf: ({ headers }) => headers['webhook-id'],
  refusal: { answer: { status: 403, body: '<b>no</b>' }, shown: 'Answered 403 Forbidden.' },
};

function readEvent({ type, data }: Json): Seen {
  const words = WORDS[type];
  demand(words, `there is no event ${type}`);
  return {
    text: [words(data), cleanLine(data.monitor?.name ?? ''), data.incident?.failureReason, data.message].join('\n'),
    links: data.incident ? [data.incident.evidenceUrl] : [],
  };
}

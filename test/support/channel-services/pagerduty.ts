import type { Json } from '../product.js';
import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';

/** PagerDuty: the Events API v2, for alerts and changes. */
export const pagerduty: ChannelService = {
  variable: 'PAGERDUTY_EVENTS_URL',
  group: () => ({ integrationKey: '0123456789abcdef0123456789abcdef' }),
  read(call) {
    const { routing_key: routingKey, event_action: action, dedup_key: key, payload, links } = jsonOf(call);
    demand(/^[0-9a-f]{32}$/.test(routingKey), "'routing_key' is invalid");
    demand(call.body.length < 512 * 1_024, 'the event is too large');
    textWithin(payload.summary, 1_024, "'payload.summary'");
    textWithin(payload.source, 255, "'payload.source'");
    demand(!Number.isNaN(Date.parse(payload.timestamp)), "'payload.timestamp' is invalid");
    if (call.path !== '/v2/change/enqueue') {
      demand(call.path === '/v2/enqueue', `there is no ${call.path}`);
      demand(['trigger', 'acknowledge', 'resolve'].includes(action), "'event_action' is invalid");
      textWithin(key, 255, "'dedup_key'");
      demand(['critical', 'error', 'warning', 'info'].includes(payload.severity), "'payload.severity' is invalid");
    }
    for (const link of links) textWithin(link.text, 255, 'the text of a link');
    const details = Object.values<string>(payload.custom_details).join('\n');
    return { text: `${payload.summary}\n${details}`, links: links.map(({ href }: Json) => href) };
  },
  keyOf(call) {
    const { dedup_key: key, payload } = jsonOf(call);
    return key && `${key} ${payload.summary}`;
  },
  taken: () => ({ status: 202, body: '{"status":"success","message":"Event processed"}' }),
  refusal: {
    answer: { status: 400, body: '{"status":"invalid event","errors":["\'routing_key\' is invalid"]}' },
    shown: 'PagerDuty refused the integration key (400).',
  },
};

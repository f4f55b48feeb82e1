import { cleanLine } from '@watchpost/shared/clean-line';
import type { NotifiedEventType } from './alert-event.js';
import type { AlertMessage } from './messages/alert-message.js';
import { defineService } from './define-service.js';
import { eventKey, subjectName } from './messages/event-key.js';
import { pagerdutyEvents } from './presses/pagerduty-events.js';
import { judgeRefusal } from './sending/judge-refusal.js';

const SEVERITIES: Readonly<Record<AlertMessage['tone'], string>> = {
  bad: 'critical',
  warning: 'warning',
  good: 'info',
  info: 'info',
};
const MAX = { summary: 1_024, name: 200 };
const ACTIONS: Partial<Record<NotifiedEventType, string>> = {
  'incident.acknowledged': 'acknowledge',
  'incident.resolved': 'resolve',
};
/** Recorded beside the alerts of a service. Nobody is paged, and nothing stays open. */
const CHANGES: readonly string[] = [
  'monitor.certificate_expiring',
  'monitor.dns_changed',
  'monitor.domain_expiring',
  'location.silent',
  'location.back',
];

/** The Events API, version 2. */
export const pagerduty = defineService({
  type: 'pagerduty',
  id: 'PagerDuty',
  title: 'PagerDuty',
  category: 'incidents',
  fields: [
    {
      name: 'integrationKey',
      title: 'Integration key',
      kind: 'secret',
      pattern: { is: /^[A-Za-z0-9]{32}$/, fault: 'must have 32 letters and digits' },
      example: '0123456789abcdef0123456789abcdef',
      help: 'In PagerDuty: the service, Integrations, Add an integration, Events API V2.',
    },
    {
      name: 'webhookSecret',
      title: 'Webhook secret',
      kind: 'secret',
      isRequired: false,
      example: 'XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXX',
      help: 'For what is acknowledged or resolved there: Integrations, Generic Webhooks (v3), Add Webhook. Its URL is `/api/v1/channels/pagerduty/events/` and the id of this group.',
    },
  ],
  destination: 'integrationKey',
  events: pagerdutyEvents,
  // The Events API has no notes.
  skips: ['incident.note_added'],
  message({ tone, title, sentences, facts, links }, event) {
    const { monitor, incident } = event.subject;
    return {
      ...(!CHANGES.includes(event.type) && {
        event_action: ACTIONS[event.type] ?? 'trigger',
        dedup_key: eventKey(event),
        client: 'Watchpost',
      }),
      payload: {
        summary: cleanLine(title, MAX.summary),
        source: cleanLine(monitor?.url ?? subjectName(event), MAX.name),
        timestamp: new Date(event.atMs).toISOString(),
        custom_details: {
          ...Object.fromEntries(facts.map(({ name, value }) => [name, value])),
          description: sentences.join('\n'),
        },
        ...(!CHANGES.includes(event.type) && {
          severity: SEVERITIES[tone],
          component: cleanLine(subjectName(event), MAX.name),
          ...(incident && { class: incident.incidentType }),
        }),
      },
      links: links.map(({ label, url }) => ({ href: url, text: label })),
    };
  },
  requests(body, { integrationKey }, { type }) {
    const given = { routing_key: integrationKey, ...body };
    const path = CHANGES.includes(type) ? '/v2/change/enqueue' : '/v2/enqueue';
    const request = {
      url: { service: 'PAGERDUTY_EVENTS_URL', path },
      judge: judgeRefusal('PagerDuty', 'the integration key', (answer) =>
        /routing.?key/i.test(answer) ? 'the integration key' : null,
      ),
    };
    const closing = type === 'test' ? [{ ...request, body: { ...given, event_action: 'resolve' } }] : [];
    return [{ ...request, body: given }, ...closing];
  },
});

import { cleanLine } from '@watchpost/shared/clean-line';
import type { AlertMessage, NotifiedEvent } from './messages/alert-message.js';
import { defineService } from './define-service.js';
import { eventKey, subjectName } from './messages/event-key.js';
import { shorten } from './messages/chat-text.js';
import { plainText } from './messages/plain-text.js';
import { jiraEvents } from './presses/jira-events.js';
import { joinUrl } from './sending/join-url.js';
import { judgeRefusal } from './sending/judge-refusal.js';

const PRIORITIES: Readonly<Record<AlertMessage['tone'], string>> = { bad: 'P1', warning: 'P3', good: 'P5', info: 'P5' };
const MAX = { message: 130, text: 10_000, person: 100, entity: 512, details: 200 };
const SOURCE = 'Watchpost';
const ALERTS = '/v2/alerts';
const RESPONDER = /^(team|user|escalation|schedule):(.+)$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The alerts of an API integration, as Opsgenie has them. */
export const jiraServiceManagement = defineService({
  type: 'jiraServiceManagement',
  id: 'JiraServiceManagement',
  title: 'Jira Service Management',
  category: 'incidents',
  fields: [
    {
      name: 'apiKey',
      title: 'API key',
      kind: 'secret',
      pattern: { is: /^[\x21-\x7e]+$/, fault: 'must be ASCII without spaces' },
      example: '0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d',
      help: 'In Jira Service Management: Operations, the team, Integrations, Add integration, API.',
    },
    {
      name: 'apiUrl',
      title: 'API URL',
      kind: 'url',
      isRequired: false,
      example: 'https://api.eu.opsgenie.com',
      help: 'Only for Opsgenie, or another service with its API: what is before /v2/alerts.',
    },
    {
      name: 'responders',
      title: 'Responders',
      kind: 'text',
      isRequired: false,
      pattern: {
        is: /^(team|user|escalation|schedule):[^,]+(,\s*(team|user|escalation|schedule):[^,]+)*$/,
        fault: 'must be like team:Operations, user:ann@example.com; also escalation: and schedule:',
      },
      example: 'team:Operations, user:ann@example.com',
      help: 'Teams, users, escalations and schedules by name or id, separated by commas; by default those of the integration.',
    },
  ],
  destination: 'apiKey',
  events: jiraEvents,
  message({ tone, title, sentences, facts, links }, event) {
    const { person } = event.subject;
    const text = plainText({ sentences, facts, links }, MAX.text);
    if (!opens(event))
      return {
        source: SOURCE,
        ...(person !== null && { user: shorten(cleanLine(person), MAX.person) }),
        note: `${title}\n\n${text}`,
      };
    return {
      message: shorten(title, MAX.message),
      alias: eventKey(event),
      description: text,
      entity: cleanLine(event.subject.monitor?.url ?? subjectName(event), MAX.entity),
      source: SOURCE,
      priority: PRIORITIES[tone],
      tags: ['watchpost'],
      details: Object.fromEntries(facts.map(({ name, value }) => [name, cleanLine(value, MAX.details)])),
    };
  },
  requests(body, { apiKey, apiUrl, responders }, event) {
    const request = {
      headers: { authorization: `GenieKey ${apiKey}` },
      judge: judgeRefusal('Jira Service Management', 'the API key', (answer) =>
        /could not authenticate|key format/i.test(answer) ? 'the API key' : null,
      ),
    };
    const at = (path: string) =>
      apiUrl
        ? joinUrl(apiUrl, `${ALERTS}${path}`)
        : { service: 'JSM_API_URL', path: `/jsm/ops/integration${ALERTS}${path}` };
    const action = (name: string) => at(`/${eventKey(event)}/${name}?identifierType=alias`);
    if (!opens(event)) return [{ ...request, url: action(actionOf(event)), body }];
    const people = responders ? { responders: respondersOf(responders) } : {};
    return [
      { ...request, url: at(''), body: { ...body, ...people } },
      ...(event.subject.incident ? [] : [{ ...request, url: action('close'), body: { source: SOURCE } }]),
    ];
  },
});

function opens({ type, subject }: NotifiedEvent): boolean {
  return type === 'incident.opened' || subject.incident === null;
}

function actionOf({ type }: NotifiedEvent): string {
  if (type === 'incident.acknowledged') return 'acknowledge';
  return type === 'incident.resolved' ? 'close' : 'notes';
}

function respondersOf(text: string): Record<string, string>[] {
  return text.split(',').map((part) => {
    const [, type = '', name = ''] = RESPONDER.exec(part.trim()) ?? [];
    if (UUID.test(name)) return { type, id: name };
    return type === 'user' ? { type, username: name } : { type, name };
  });
}

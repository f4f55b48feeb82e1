import { cleanLine } from '@watchpost/shared/clean-line';
import { defineService } from './define-service.js';
import { nameProblem } from './messages/describe-change.js';
import { escapeMarkdown, plainText } from './messages/plain-text.js';
import { eventKey, subjectName } from './messages/event-key.js';
import { judgeRefusal } from './sending/judge-refusal.js';

const MAX = { title: 200, text: 5_000 };

export const incidentIo = defineService({
  type: 'incidentIo',
  id: 'IncidentIo',
  title: 'incident.io',
  category: 'incidents',
  article: 'an',
  fields: [
    {
      name: 'url',
      title: 'Alert source URL',
      kind: 'url',
      example: 'https://api.incident.io/v2/alert_events/http/01JXXXXXXXXXXXXXXXXXXXXXXX',
      help: 'In incident.io: Alerts, Sources, New, HTTP with the default type.',
    },
    {
      name: 'token',
      title: 'Token',
      kind: 'secret',
      pattern: { is: /^[\x21-\x7e]+$/, fault: 'must be ASCII without spaces, and without the word Bearer' },
      example: 'inc_0a1b2c3d4e5f',
      help: 'What follows Bearer in the authorization that the source shows.',
    },
  ],
  destination: 'url',
  // An alert has no notes.
  skips: ['incident.note_added'],
  message({ title, sentences, facts, links }, event) {
    const { monitor, incident, workspaceName } = event.subject;
    return {
      // The same in every event of an incident: it is the title of the alert.
      title: cleanLine(incident ? `${nameProblem(incident)}: ${subjectName(event)}` : title, MAX.title),
      description: escapeMarkdown(plainText({ sentences: [title, ...sentences], facts, links: [] }, MAX.text)),
      deduplication_key: eventKey(event),
      status: event.type === 'incident.resolved' ? 'resolved' : 'firing',
      ...(links[0] && { source_url: links[0].url }),
      metadata: {
        event: event.type,
        workspace: workspaceName,
        monitor: subjectName(event),
        ...(monitor && { monitorId: monitor.id, monitorUrl: monitor.url }),
        ...(incident && {
          incidentType: incident.incidentType,
          severity: incident.severity,
          regions: incident.regions,
          acknowledged: incident.acknowledged,
        }),
      },
    };
  },
  requests(body, { url, token }, { subject }) {
    const request = {
      url: url!,
      headers: { authorization: `Bearer ${token}` },
      judge: judgeRefusal('incident.io', 'the token'),
    };
    const closing = subject.incident ? [] : [{ ...request, body: { ...body, status: 'resolved' } }];
    return [{ ...request, body }, ...closing];
  },
});

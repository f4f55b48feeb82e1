import { defineChannel } from './channel.js';
import { spokenOf } from './messages/spoken-text.js';
import { sms } from './sms.js';

/** Where the provider asks for the text of a call, and reports how the call ended (`/status`). */
export const CALL_PATH = '/api/v1/channels/voice/calls';

/** Calls to the numbers of a group. The text is composed when somebody answers. */
export const voice = defineChannel({
  ...sms,
  type: 'voice',
  id: 'Voice',
  title: 'voice call',
  article: 'a',
  isMadeWithMonitor: false,
  reportsEnd: true,
  // Nobody is called for these.
  skips: [
    'location.silent',
    'location.back',
    'incident.acknowledged',
    'incident.resolved',
    'incident.note_added',
    'monitor.certificate_expiring',
    'monitor.dns_changed',
    'monitor.domain_expiring',
  ],
  described: () => [],
  render: (message, notifications, links) => ({ text: spokenOf(message, notifications, links), body: null }),
  send({ channels, destination, id, nowMs }) {
    const url = `${channels.baseUrl}${CALL_PATH}/${id}`;
    return channels.phone.call(destination.address, { url, statusUrl: `${url}/status` }, nowMs);
  },
});

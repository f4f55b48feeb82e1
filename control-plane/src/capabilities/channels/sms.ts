import { defineChannel } from './channel.js';
import { composeMessage } from './messages/compose-message.js';
import { smsSummary, smsText } from './messages/sms-text.js';

export const sms = defineChannel({
  type: 'sms',
  id: 'Sms',
  title: 'SMS',
  category: 'people',
  article: 'an',
  fields: [
    {
      name: 'phoneNumbers',
      title: 'Numbers',
      kind: 'phones',
      example: '+353 87 123 4567',
      help: 'One per line, with the country code. A number may have to be confirmed first by a code.',
    },
  ],
  destination: 'phoneNumbers',
  isPersonal: true,
  consent: 'sms',
  isMadeWithMonitor: true,
  outlet: 'sms',
  throttle: { most: 5, windowMs: 15 * 60_000 },
  // Not urgent enough.
  skips: ['incident.acknowledged', 'incident.note_added', 'monitor.dns_changed'],
  // The others are not described: links to the evidence of hundreds of incidents would be issued for nothing.
  described: (notifications) => notifications.slice(-1),
  mask: (address) => `${address.slice(0, 3)}***${address.slice(-2)}`,
  render: (message) => ({ text: smsText(message), body: null }),
  send({ channels, destination, notifications, message, links, nowMs }) {
    const messages =
      notifications.length === 1 ? [message] : notifications.map((one) => composeMessage(one.event, links, one.extra));
    const [{ extra }] = notifications;
    return channels.phone.send(destination.address, smsSummary(messages, extra.acknowledgeAllUrl), nowMs);
  },
});

import { defineChannel } from './channel.js';
import { smsOf } from './messages/sms-text.js';

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
  render: (message, notifications, links) => ({ text: smsOf(message, notifications, links), body: null }),
  send: ({ channels, destination, notifications, message, links, nowMs }) =>
    channels.phone.send(destination.address, smsOf(message, notifications, links), nowMs),
});

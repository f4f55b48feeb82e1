import { defineChannel } from './channel.js';
import { mailMessage } from './messages/mail-message.js';

export const email = defineChannel({
  type: 'email',
  id: 'Email',
  title: 'email',
  category: 'people',
  article: 'an',
  fields: [
    {
      name: 'recipients',
      title: 'Recipients',
      kind: 'emails',
      example: 'ops@example.com',
      help: 'One per line. People outside this workspace may have to confirm by email first.',
    },
  ],
  destination: 'recipients',
  isPersonal: true,
  consent: 'email',
  outlet: 'alertMail',
  // A person can read no more mails than this, and a page waits no longer than the window.
  pagePace: { most: 3, windowMs: 3_000 },
  mask: (address) => `${address.slice(0, 1)}***${address.slice(address.lastIndexOf('@'))}`,
  render: (message) => ({ text: mailMessage('', message).text, body: null }),
  send: ({ channels, destination, id, message, nowMs }) =>
    channels.mailer.send(id, mailMessage(destination.address, message), nowMs),
});

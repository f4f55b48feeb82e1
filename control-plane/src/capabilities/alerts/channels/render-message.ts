import type { ActionGroupType } from '../action-group.js';
import type { AlertMessage, Notification } from './alert-message.js';
import type { MessageLinks } from './channels.js';
import { composeMessage } from './compose-message.js';
import { slackMessage } from './slack-message.js';
import { teamsMessage } from './teams-message.js';
import { webhookBody } from './webhook-body.js';

/** Renders what a webhook or a chat receives: JSON, the same at every attempt. */
export function renderBody(
  channel: Exclude<ActionGroupType, 'email' | 'sms'>,
  { event, extra }: Notification,
  links: MessageLinks,
): string {
  if (channel === 'webhook') return webhookBody(event, links);
  const render: (message: AlertMessage) => object = channel === 'slack' ? slackMessage : teamsMessage;
  return JSON.stringify(render(composeMessage(event, links, extra)));
}

import type { AlertMessage } from './messages/alert-message.js';
import { defineChat } from './define-chat.js';
import { escapeMarkdown } from './messages/plain-text.js';
import { judgeStatus } from './sending/post-body.js';

const COLOURS: Readonly<Record<AlertMessage['tone'], string>> = {
  bad: 'attention',
  warning: 'warning',
  good: 'good',
  info: 'accent',
};

/** Office 365 connectors answer 200 with this in the body when Teams refused the message. */
const REFUSED = /returned HTTP error (\d{3})/;

export const teams = defineChat({
  type: 'teams',
  id: 'Teams',
  title: 'Microsoft Teams',
  example: 'https://acme.webhook.office.com/webhookb2/00000000-0000-0000-0000-000000000000',
  help: 'In Teams: the channel, Workflows, Post to a channel when a webhook request is received.',
  message: teamsMessage,
  judge(answer) {
    const outcome = judgeStatus(answer);
    const refused = outcome.kind === 'sent' ? REFUSED.exec(answer.body) : null;
    return refused
      ? { kind: 'failed', statusCode: Number(refused[1]), answer: `The chat refused it (${refused[1]}).` }
      : outcome;
  },
});

/**
 * Renders a message as an Adaptive Card for the webhook of a workflow. All text is in text runs, which have no Markdown:
 * unlike in text blocks and facts, text of users cannot become a link, a heading or a mention.
 */
function teamsMessage(message: AlertMessage): Record<string, unknown> {
  const line = (...runs: Record<string, unknown>[]) => ({
    type: 'RichTextBlock',
    inlines: runs.map((run) => ({ type: 'TextRun', ...run })),
  });
  return {
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          fallbackText: escapeMarkdown(message.title),
          body: [
            line({ text: message.title, size: 'large', weight: 'bolder', color: COLOURS[message.tone] }),
            ...message.sentences.flatMap((text) => text.split(/\n+/)).map((text) => line({ text })),
            ...message.facts.map(({ name, value }) => line({ text: `${name}: `, weight: 'bolder' }, { text: value })),
          ],
          actions: message.links.map(({ label, url }) => ({ type: 'Action.OpenUrl', title: label, url })),
        },
      },
    ],
  };
}

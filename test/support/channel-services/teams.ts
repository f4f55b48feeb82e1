import type { Json } from '../product.js';
import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';

/** A workflow of Microsoft Teams that posts an Adaptive Card to a channel. */
export const teams: ChannelService = {
  group: (url) => ({ webhookUrl: `${url}/webhookb2/00000000-0000-0000-0000-000000000000` }),
  read(call) {
    demand(call.method === 'POST' && call.path.startsWith('/webhookb2/'), `there is no ${call.path}`);
    demand(Buffer.byteLength(call.body) <= 28 * 1024, 'the message is too large');
    const { type, attachments } = jsonOf(call);
    demand(type === 'message' && attachments?.length === 1, 'it is no message with a card');
    const [{ contentType, content }] = attachments;
    demand(contentType === 'application/vnd.microsoft.card.adaptive', 'it is no Adaptive Card');
    demand(content.type === 'AdaptiveCard' && content.version === '1.4', 'the card has no version');
    const lines = content.body.map((block: Json) => {
      demand(block.type === 'RichTextBlock', 'text of users has Markdown');
      return block.inlines.map((run: Json) => {
        demand(run.type === 'TextRun', 'text of users has Markdown');
        return textWithin(run.text, 10_000, 'a text');
      });
    });
    return {
      text: lines.map((line: string[]) => line.join('')).join('\n'),
      links: content.actions.map((action: Json) => {
        demand(action.type === 'Action.OpenUrl' && action.title, 'it is no action with a title');
        return action.url;
      }),
    };
  },
  taken: () => ({ status: 202 }),
  refusal: {
    answer: {
      status: 200,
      body: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 403',
    },
    shown: 'The chat refused it (403).',
  },
};

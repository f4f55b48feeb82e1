import type { Json } from '../product.js';
import { type ChannelService, demand, jsonOf, Refusal, textWithin } from './channel-service.js';

/** An incoming webhook of Slack, with the limits of Block Kit. */
export const slack: ChannelService = {
  group: (url) => ({ webhookUrl: `${url}/services/T0/B0/abcdefghijkl` }),
  read(call) {
    demand(call.method === 'POST' && call.path.startsWith('/services/'), `there is no ${call.path}`);
    const { text, blocks, unfurl_links: unfurls } = jsonOf(call);
    demand(!/[<>]/.test(textWithin(text, 40_000, 'the text')), 'the text has markup');
    demand(unfurls === false, 'links are unfurled');
    demand(blocks.length <= 50, 'there are too many blocks');
    const links: string[] = [];
    const texts = blocks.flatMap((block: Json): string[] => {
      switch (block.type) {
        case 'header':
          return [plain(block.text, 150)];
        case 'section':
          demand(block.text || block.fields?.length <= 10, 'a section has too many fields, or nothing');
          return [
            ...(block.text ? [plain(block.text, 3_000)] : []),
            ...(block.fields ?? []).map((one: Json) => plain(one, 2_000)),
          ];
        case 'actions':
          demand(block.elements.length <= 25, 'there are too many actions');
          return block.elements.map(({ url, text: label }: Json) => {
            links.push(textWithin(url, 3_000, 'the URL'));
            return plain(label, 75);
          });
        default:
          throw new Refusal(`there are no blocks ${block.type}`);
      }
    });
    return { text: texts.join('\n'), links };
  },
  taken: () => ({ status: 200, body: 'ok' }),
  refusal: { answer: { status: 404, body: 'no_service' }, shown: 'Answered 404 Not Found.' },
};

function plain({ type, text, emoji }: Json, most: number): string {
  demand(type === 'plain_text', `text of users is ${type}`);
  demand(emoji === false, 'codes of emoji are obeyed');
  return textWithin(text, most, 'the text of a block');
}

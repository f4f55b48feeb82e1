import type { Json } from '../product.js';
import { type ChannelService, demand, jsonOf, type Place, Refusal, type Seen, textWithin } from './channel-service.js';

/** An incoming webhook of Slack, with the limits of Block Kit. */
export const slack: ChannelService = {
  group: (url) => ({ webhookUrl: `${url}/services/T0/B0/abcdefghijkl` }),
  read(call) {
    demand(call.method === 'POST' && call.path.startsWith('/services/'), `there is no ${call.path}`);
    return readBlocks(jsonOf(call));
  },
  taken: () => ({ status: 200, body: 'ok' }),
  refusal: { answer: { status: 404, body: 'no_service' }, shown: 'Answered 404 Not Found.' },
};

/** The channels to which the bot was invited, and one more. */
const CHANNELS: Readonly<Record<Place, string>> = {
  one: 'C0000000001',
  two: 'C0000000002',
  three: 'C0000000003',
  forbidden: 'C0000000009',
};
const refused = (error: string) => ({ status: 200, body: JSON.stringify({ ok: false, error }) });
const EPOCH = '1503435956.';
const numberOf = (ts: string) => Number(ts.slice(EPOCH.length));

/** The Web API of Slack, with a bot: https://docs.slack.dev/reference/methods/chat.postMessage. */
export const slackBot: ChannelService = {
  variable: 'SLACK_API_URL',
  group: (_url, place = 'one') => ({ botToken: 'xoxb-1', channel: CHANNELS[place] }),
  read(call) {
    const isEdit = call.path === '/api/chat.update';
    demand(isEdit || call.path === '/api/chat.postMessage', 'there is no such method', refused('unknown_method'));
    demand(call.headers['authorization'] === 'Bearer xoxb-1', 'the token is wrong', refused('invalid_auth'));
    const { channel, ts, thread_ts: parent, ...given } = jsonOf(call);
    const isInvited = Object.values(CHANNELS).includes(channel) && channel !== CHANNELS.forbidden;
    demand(isInvited, 'there is no such channel', refused('channel_not_found'));
    return {
      ...{ ...readBlocks(given), place: channel },
      ...(isEdit && { edits: numberOf(ts) }),
      ...(parent && { replyTo: numberOf(parent) }),
    };
  },
  taken(number, { place: channel }) {
    const ts = EPOCH + String(number).padStart(6, '0');
    return { status: 200, body: JSON.stringify({ ok: true, channel, ts }) };
  },
  gone: refused('message_not_found'),
  refusal: { answer: refused('channel_not_found'), shown: '' },
};

function readBlocks({ text, blocks, unfurl_links: unfurls }: Json): Seen {
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
}

function plain({ type, text, emoji }: Json, most: number): string {
  demand(type === 'plain_text', `text of users is ${type}`);
  demand(emoji === false, 'codes of emoji are obeyed');
  return textWithin(text, most, 'the text of a block');
}

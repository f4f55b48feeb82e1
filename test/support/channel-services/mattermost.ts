import type { Json } from '../product.js';
import { type ChannelService, demand, inertText, jsonOf, Refusal, type Seen, textWithin } from './channel-service.js';

const PATH = /^\/chat\/api\/v4\/posts(?:\/(\d+)\/patch)?$/;

/** Posts of a bot in Mattermost, with an attachment. */
export const mattermost: ChannelService = {
  group: (url) => ({
    serverUrl: `${url}/chat`,
    botToken: 'b0ttoken',
    channelId: '4xp9fdt77pncbef59f4k1qe83o',
    pressToken: 'pr3ss',
  }),
  read(call) {
    const edited = PATH.exec(call.path)?.[1];
    demand(PATH.test(call.path) && call.method === (edited ? 'PUT' : 'POST'), `there is no ${call.path}`);
    demand(call.headers['authorization'] === 'Bearer b0ttoken', 'the token is wrong');
    const { channel_id: channel, message, props } = jsonOf(call);
    demand(edited || channel === '4xp9fdt77pncbef59f4k1qe83o', 'there is no such channel');
    demand(message === '' && props.attachments.length === 1, 'there is not one attachment');
    return { ...readAttachment(props.attachments[0]), ...(edited && { edits: Number(edited) }) };
  },
  keyOf: (call) => jsonOf(call).pending_post_id,
  taken: (number) => ({ status: 201, body: JSON.stringify({ id: String(number) }) }),
  busy: (seconds) => ({ status: 429, headers: { 'retry-after': String(seconds) }, body: 'limit exceeded' }),
  refusal: {
    answer: {
      status: 403,
      body: JSON.stringify({ id: 'api.context.permissions.app_error', message: '<b>', status_code: 403 }),
    },
    shown:
      'Answered 403 Forbidden (api.context.permissions.app_error). The bot may not write in the channel: add it to the team and the channel.',
  },
};

function readAttachment({ fallback, color, text, fields, title }: Json): Seen {
  inertText(textWithin(fallback, 4_000, 'the fallback'));
  demand(/^#[0-9a-f]{6}$/i.test(color), 'the colour is none');
  demand(title === undefined, 'a title is Markdown without links, or none, as it has a link or not');
  const links: string[] = [];
  const texts = [text, ...fields.flatMap((field: Json) => [field.title, field.value])].map((markdown) => {
    const linkless = textWithin(markdown, 16_383, 'a text').replace(
      /(?<!\\)\[(\w[\w ]*)\]\((https?:\S+?)\)/g,
      (_, label: string, url: string) => {
        links.push(url);
        return label;
      },
    );
    const unmarked = linkless.replace(/^\*\*(.*)\*\*$/m, '$1');
    const markup = /[`*_~|<>#[\]]|^[-+] /m.exec(unmarked.replace(/\\./gs, ''));
    if (markup) throw new Refusal(`this is obeyed: ${unmarked}`);
    return inertText(unmarked.replace(/\\(.)/gs, '$1'));
  });
  return { text: texts.join('\n'), links };
}

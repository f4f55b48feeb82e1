import type { Json } from '../product.js';
import {
  type ChannelService,
  demand,
  inertText,
  jsonOf,
  type Place,
  Refusal,
  type Seen,
  textWithin,
} from './channel-service.js';

const CHANNELS: Readonly<Partial<Record<Place, string>>> = {
  one: '4xp9fdt77pncbef59f4k1qe83o',
  two: '4xp9fdt77pncbef59f4k1qe832',
  three: '4xp9fdt77pncbef59f4k1qe833',
};
const refused = (status: number, id: string) => ({
  status,
  body: JSON.stringify({ id, message: '<b>', status_code: status }),
});
const PATH = /^\/chat\/api\/v4\/posts(?:\/(\d+)\/patch)?$/;

/** Posts of a bot in Mattermost, with an attachment. */
export const mattermost: ChannelService = {
  group: (url, place = 'one') => ({
    serverUrl: `${url}/chat`,
    botToken: 'b0ttoken',
    channelId: CHANNELS[place],
    pressToken: 'pr3ss',
  }),
  read(call) {
    const edited = PATH.exec(call.path)?.[1];
    demand(PATH.test(call.path) && call.method === (edited ? 'PUT' : 'POST'), `there is no ${call.path}`);
    demand(call.headers['authorization'] === 'Bearer b0ttoken', 'the token is wrong');
    const { channel_id: channel, message, props, root_id: root } = jsonOf(call);
    demand(edited || Object.values(CHANNELS).includes(channel), 'there is no such channel');
    demand(message === '' && props.attachments.length === 1, 'there is not one attachment');
    const seen = readAttachment(props.attachments[0]);
    return { ...seen, ...(edited && { edits: Number(edited) }), ...(root && { replyTo: Number(root) }) };
  },
  keyOf: (call) => jsonOf(call).pending_post_id,
  taken: (number, { edits }) => ({ status: edits ? 200 : 201, body: JSON.stringify({ id: String(number) }) }),
  busy: (seconds) => ({ status: 429, headers: { 'retry-after': String(seconds) }, body: 'limit exceeded' }),
  gone: refused(404, 'app.post.get.app_error'),
  orphan: refused(400, 'api.post.create_post.root_id.app_error'),
  refusal: {
    answer: refused(403, 'api.context.permissions.app_error'),
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

import type { Json } from '../product.js';
import { type ChannelService, demand, jsonOf, type Place, Refusal, type Seen, textWithin } from './channel-service.js';

/** The webhooks of places, which are the numbers of their channels too. */
const WEBHOOKS: Readonly<Record<Place, string>> = {
  one: '100000000000000001',
  two: '100000000000000002',
  three: '100000000000000003',
  forbidden: '100000000000000009',
};
const refusal = (status: number, code: number, message: string) => ({
  status,
  body: JSON.stringify({ code, message }),
});

/** Execute Webhook of Discord, with the limits of embeds. */
export const discord: ChannelService = {
  group: (url, place = 'one') => ({ webhookUrl: `${url}/api/webhooks/${WEBHOOKS[place]}/abcdefghijklmnop` }),
  read(call) {
    const [, webhook, edited] = /^\/api\/webhooks\/(\d+)\/\w+(?:\/messages\/(\d+)|\?wait=true)$/.exec(call.path) ?? [];
    demand(webhook && call.method === (edited ? 'PATCH' : 'POST'), `there is no ${call.method} ${call.path}`);
    return { ...readEmbed(jsonOf(call)), place: `webhook ${webhook}`, ...(edited && { edits: Number(edited) }) };
  },
  taken: (number) => ({ status: 200, body: JSON.stringify({ id: String(number) }) }),
  busy: (seconds) => ({
    status: 429,
    headers: { 'retry-after': String(seconds), 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'You are being rate limited.', retry_after: seconds, global: false }),
  }),
  gone: refusal(404, 10008, 'Unknown Message'),
  refusal: {
    answer: refusal(404, 10015, 'Unknown Webhook'),
    shown: 'Answered 404 Not Found (10015). There is no such webhook.',
  },
};

/** The same with a bot, which may write in all channels but the forbidden one: https://docs.discord.com/developers/resources/message. */
export const discordBot: ChannelService = {
  ...discord,
  variable: 'DISCORD_API_URL',
  group: (url, place) => ({ ...discord.group(url, place), botToken: 'token-1' }),
  ask({ method, path }) {
    const webhook = /^\/api\/webhooks\/(\d+)\/\w+/.exec(path)?.[1];
    return method === 'GET' && webhook
      ? { status: 200, body: JSON.stringify({ id: webhook, channel_id: webhook }) }
      : undefined;
  },
  read(call) {
    const [, channel, edited] = /^\/api\/v10\/channels\/(\d+)\/messages(?:\/(\d+))?$/.exec(call.path) ?? [];
    if (channel === undefined) return discord.read(call);
    demand(call.method === (edited ? 'PATCH' : 'POST'), `there is no ${call.method} ${call.path}`);
    const isBot = call.headers['authorization'] === 'Bot token-1';
    demand(isBot, 'the token is wrong', refusal(401, 0, '401: Unauthorized'));
    demand(channel !== WEBHOOKS.forbidden, 'the bot is not there', refusal(403, 50001, 'Missing Access'));
    const { nonce, message_reference: reference, ...given } = jsonOf(call);
    demand(edited || nonce.length <= 25, 'the nonce is too long');
    return {
      ...{ ...readEmbed(given), place: channel },
      ...(edited && { edits: Number(edited) }),
      ...(reference && { replyTo: Number(reference.message_id) }),
    };
  },
  keyOf(call) {
    const { nonce, enforce_nonce: isOnce } = jsonOf(call);
    return isOnce && nonce;
  },
};

function readEmbed({ allowed_mentions: mentions, embeds }: Json): Seen {
  demand(mentions?.parse?.length === 0, 'people may be mentioned');
  demand(embeds?.length === 1, 'there is not one embed');
  const [{ title, description, color, fields }] = embeds;
  demand(color >= 0 && color <= 0xff_ff_ff, 'the colour is none');
  demand(fields.length <= 25, 'there are too many fields');
  const texts = [
    textWithin(title, 256, 'the title'),
    textWithin(description, 4_096, 'the description'),
    ...fields.flatMap(({ name, value }: { name: string; value: string }) => [
      textWithin(name, 256, 'the name of a field'),
      textWithin(value, 1_024, 'the value of a field'),
    ]),
  ];
  demand(texts.join('').length <= 6_000, 'the embed is too long');
  return readMarkdown(texts.join('\n'));
}

/** Resolves escapes and links. @throws Refusal where other markup would be obeyed */
function readMarkdown(markdown: string): Seen {
  const links: string[] = [];
  const linkless = markdown.replace(/(?<!\\)\[((?:\\.|[^\]\\])+)\]\((\S+?)\)/g, (_, label: string, url: string) => {
    links.push(url);
    return label;
  });
  const markup = /[`*_~|<>@#]|\]\(|https?:/.exec(linkless.replace(/\\./gs, ''));
  if (markup) throw new Refusal(`this is obeyed: ${linkless}`);
  return { text: linkless.replace(/\\(.)/gs, '$1'), links };
}

import { type ChannelService, demand, jsonOf, Refusal, type Seen, textWithin } from './channel-service.js';

/** Execute Webhook of Discord, with the limits of embeds. */
export const discord: ChannelService = {
  group: (url) => ({ webhookUrl: `${url}/api/webhooks/100000000000000001/abcdefghijklmnop` }),
  read(call) {
    const edited = /\/messages\/(\d+)$/.exec(call.path)?.[1];
    demand(call.method === (edited ? 'PATCH' : 'POST'), `there is no ${call.method} ${call.path}`);
    demand(/^\/api\/webhooks\/\d+\/\w+(?:\/messages\/\d+|\?wait=true)$/.test(call.path), `there is no ${call.path}`);
    const { allowed_mentions: mentions, embeds } = jsonOf(call);
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
    return { ...readMarkdown(texts.join('\n')), ...(edited && { edits: Number(edited) }) };
  },
  taken: (number) => ({ status: 200, body: JSON.stringify({ id: String(number) }) }),
  busy: (seconds) => ({
    status: 429,
    headers: { 'retry-after': String(seconds), 'content-type': 'application/json' },
    body: JSON.stringify({ message: 'You are being rate limited.', retry_after: seconds, global: false }),
  }),
  refusal: {
    answer: { status: 404, body: '{"message":"Unknown Webhook","code":10015}' },
    shown: 'Answered 404 Not Found (10015). There is no such webhook.',
  },
};

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

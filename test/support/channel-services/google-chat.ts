import type { Json } from '../product.js';
import { type ChannelService, demand, inertText, jsonOf, readHtml, Refusal, textWithin } from './channel-service.js';

const queryOf = (path: string) => new URL(path, 'http://any').searchParams;

/** `spaces.messages.create` of Google Chat by a webhook, with a card (version 2). */
export const googleChat: ChannelService = {
  group: (url) => ({ webhookUrl: `${url}/v1/spaces/AAAAexample/messages?key=k3y&token=t0ken` }),
  read(call) {
    const query = queryOf(call.path);
    demand(call.path.startsWith('/v1/spaces/AAAAexample/messages?'), `there is no ${call.path}`);
    demand(query.get('key') === 'k3y' && query.get('token') === 't0ken', 'the key or the token is wrong');
    demand(query.get('requestId'), 'calls cannot be recognised');
    demand(Buffer.byteLength(call.body) <= 32_000, 'the message is too large');
    const { cardsV2, fallbackText, thread, ...rest } = jsonOf(call);
    demand(Object.keys(rest).length === 0, `there is no field ${Object.keys(rest)[0]}`);
    inertText(textWithin(fallbackText, 4_000, 'the fallback'));
    if (thread) demand(thread.threadKey && query.get('messageReplyOption')?.startsWith('REPLY_'), 'it starts a thread');
    demand(cardsV2.length === 1 && cardsV2[0].cardId, 'the card has no ID');
    const { header, sections } = cardsV2[0].card;
    const links: string[] = [];
    const texts = sections.flatMap(({ widgets }: Json) => {
      demand(widgets.length > 0 && widgets.length <= 100, 'a section has no widgets, or too many');
      return widgets.map(({ textParagraph, decoratedText, buttonList }: Json) => {
        if (textParagraph) return rich(textParagraph.text);
        if (decoratedText) return `${inertText(decoratedText.topLabel)} ${rich(decoratedText.text)}`;
        if (!buttonList) throw new Refusal('there is no such widget');
        links.push(...buttonList.buttons.map((one: Json) => one.text && one.onClick.openLink.url));
        return '';
      });
    });
    return { text: [inertText(textWithin(header.title, 1_000, 'the title')), ...texts].join('\n'), links };
  },
  keyOf: ({ path }) => queryOf(path).get('requestId')!,
  taken: (number) => ({ status: 200, body: JSON.stringify({ name: `spaces/AAAAexample/messages/${number}` }) }),
  busy: (seconds) => ({
    status: 429,
    headers: { 'retry-after': String(seconds) },
    body: JSON.stringify({ error: { code: 429, message: 'Quota exceeded', status: 'RESOURCE_EXHAUSTED' } }),
  }),
  refusal: {
    answer: {
      status: 403,
      body: JSON.stringify({ error: { code: 403, message: '<b>', status: 'PERMISSION_DENIED' } }),
    },
    shown: 'Answered 403 Forbidden (PERMISSION_DENIED).',
  },
};

function rich(html: string): string {
  const { text, links } = readHtml(textWithin(html, 10_000, 'a text'), /^$/);
  demand(links.length === 0, 'a text has links');
  return text;
}

import { type ChannelService, demand, inertText, jsonOf, textWithin } from './channel-service.js';

/** An incoming webhook of Rocket.Chat, with an attachment. */
export const rocketChat: ChannelService = {
  group: (url) => ({ webhookUrl: `${url}/hooks/64b0/abcdefghijkl` }),
  read(call) {
    demand(call.method === 'POST' && call.path.startsWith('/hooks/64b0/'), `there is no ${call.path}`);
    const { text: markdown, attachments } = jsonOf(call);
    demand(markdown === undefined, 'the text of a message is Markdown');
    demand(attachments.length === 1, 'there is not one attachment');
    const [{ title, text, color, fields = [], mrkdwn_in: marked }] = attachments;
    demand(/^#[0-9a-f]{6}$/i.test(color), 'the colour is none');
    demand(marked.length === 0, 'the text of the attachment is Markdown');
    demand(fields.length <= 1, 'the values of fields are Markdown');
    return {
      text: `${inertText(textWithin(title, 1_000, 'the title'))}\n${inertText(textWithin(text, 5_000, 'the text'))}`,
      links: fields.flatMap(({ value }: { value: string }) => {
        demand(/^\[[\w ]+\]\(\S+\)(?: · \[[\w ]+\]\(\S+\))*$/.test(value), 'a field has more than links');
        return [...value.matchAll(/\((\S+?)\)/g)].map(([, url]) => url!);
      }),
    };
  },
  taken: () => ({ status: 200, body: '{"success":true}' }),
  refusal: {
    answer: { status: 400, body: '{"success":false,"error":"<b>Invalid integration</b>"}' },
    shown: 'Answered 400 Bad Request.',
  },
};

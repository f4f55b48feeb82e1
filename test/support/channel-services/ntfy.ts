import type { Json } from '../product.js';
import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';

/** ntfy: publishing as JSON, to the root of the server (docs.ntfy.sh/publish). */
export const ntfy: ChannelService = {
  group: (url) => ({ topicUrl: `${url}/watchpost-a1B2`, token: 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2', priority: '5' }),
  read(call) {
    demand(call.path === '/', 'JSON is published to the root');
    demand(call.headers['authorization'] === 'Bearer tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2', 'forbidden');
    const { topic, title, message, priority, tags, click, actions, sequence_id: sequence, ...others } = jsonOf(call);
    demand(Object.keys(others).length === 0, `there is no ${Object.keys(others)[0]}`);
    demand(/^[-_A-Za-z0-9]{1,64}$/.test(topic), 'invalid request: topic invalid');
    demand(/^[-_A-Za-z0-9]{1,64}$/.test(sequence), 'invalid request: sequence ID invalid');
    textWithin(title, 1_000, 'the title');
    demand(Buffer.byteLength(textWithin(message, 4_096, 'the message')) <= 4_096, 'it would become an attachment');
    demand([1, 2, 3, 4, 5].includes(priority), 'invalid priority parameter');
    demand(tags.length === 1, 'there are no tags');
    demand(actions.length <= 3, 'there are too many actions');
    for (const { action, label } of actions) demand(action === 'view' && label, 'invalid request: actions invalid');
    const links = actions.map(({ url }: Json) => textWithin(url, 2_048, 'the URL'));
    demand(click === undefined || links.includes(click), 'a click opens another page');
    return { text: `${title}\n${message}`, links };
  },
  // A message with the sequence ID of another one replaces it, from version 2.16 on.
  keyOf: (call) => jsonOf(call).sequence_id,
  taken: () => ({ status: 200, body: '{"id":"sPs71M8A2T","event":"message"}' }),
  refusal: {
    answer: { status: 403, body: '{"code":40301,"http":403,"error":"forbidden"}' },
    shown: 'ntfy refused the access token, or the topic needs one (403).',
  },
};

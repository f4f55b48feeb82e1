import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';
import { linksInText } from './links-in-text.js';

const TYPES = ['info', 'success', 'warning', 'failure'];

/** Apprise API: `/notify` with URLs, or `/notify/{key}` with a stored configuration. */
export const apprise: ChannelService = {
  group: (url) => ({ apiUrl: url, urls: 'signal://user:password@signal.example.com/+15005550006' }),
  read(call) {
    const { urls, title, body, type, format } = jsonOf(call);
    const [, key] = /^\/notify(?:\/([\w-]{1,128}))?$/.exec(call.path) ?? [null, ''];
    demand(key !== '', `there is no ${call.path}`);
    demand(key !== undefined || /^\w+:\/\//.test(urls), 'there is nothing to notify');
    demand(TYPES.includes(type) && format === 'text', 'the type or the format is invalid');
    textWithin(body, 32_768, 'the body');
    return { text: `${textWithin(title, 250, 'the title')}\n${body}`, links: linksInText(body) };
  },
  taken: () => ({ status: 200, body: '{"error":null,"details":[]}' }),
  refusal: {
    answer: { status: 424, body: '{"error":"One or more notifications could not be sent"}' },
    shown: 'Apprise could not notify every one of its services (424).',
  },
};

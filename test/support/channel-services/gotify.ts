import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';
import { linksInText } from './links-in-text.js';

/** Gotify: `POST /message` of its OpenAPI description. */
export const gotify: ChannelService = {
  group: (url) => ({ serverUrl: `${url}/push/`, appToken: 'AWH0wZ5r0Mbac.r' }),
  read(call) {
    demand(call.path === '/push/message', `there is no ${call.path}`);
    demand(call.headers['x-gotify-key'] === 'AWH0wZ5r0Mbac.r', 'you need to provide a valid access token');
    const { title, message, priority, extras } = jsonOf(call);
    demand(Number.isInteger(priority) && priority <= 10, 'the priority is invalid');
    demand(extras['client::display'].contentType === 'text/plain', 'text of users would be Markdown');
    const links = linksInText(textWithin(message, 10_000, 'the message'));
    const click = extras['client::notification']?.click.url;
    demand(click === undefined || links.includes(click), 'a click opens another page');
    return { text: `${textWithin(title, 1_000, 'the title')}\n${message}`, links };
  },
  taken: (count) => ({ status: 200, body: JSON.stringify({ id: count, appid: 5 }) }),
  refusal: {
    answer: { status: 401, body: '{"error":"Unauthorized","errorCode":401}' },
    shown: 'Gotify refused the application token (401).',
  },
};

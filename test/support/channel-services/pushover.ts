import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';
import { linksInText } from './links-in-text.js';

/** Pushover: the message API (pushover.net/api). */
export const pushover: ChannelService = {
  variable: 'PUSHOVER_API_URL',
  group: () => ({
    userKey: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG',
    apiToken: 'azGDORePK8gMaC0QOYAMyEEuzJnyUi',
    device: 'phone,tablet',
  }),
  read(call) {
    demand(call.path === '/1/messages.json', `there is no ${call.path}`);
    const { token, user, title, message, url, url_title: urlTitle, priority, timestamp } = jsonOf(call);
    demand(/^a[A-Za-z0-9]{29}$/.test(token), 'application token is invalid');
    demand(/^[ug][A-Za-z0-9]{29}$/.test(user), 'user identifier is not a valid user');
    textWithin(title, 250, 'the title');
    textWithin(message, 1_024, 'the message');
    if (url !== undefined) textWithin(urlTitle, 100, 'the title of the URL');
    // 2 would need retry and expire.
    demand([-2, -1, 0, 1].includes(priority), 'priority is invalid');
    demand(Number.isInteger(timestamp), 'the time is invalid');
    const links = url === undefined ? [] : [textWithin(url, 512, 'the URL')];
    return { text: `${title}\n${message}`, links: [...links, ...linksInText(message)] };
  },
  taken: () => ({ status: 200, body: '{"status":1,"request":"647d2300-702c-4b38-8b2f-d56326ae460b"}' }),
  refusal: {
    answer: { status: 400, body: '{"user":"invalid","errors":["user identifier is not a valid user"],"status":0}' },
    shown: 'Pushover refused the user key (400).',
  },
};

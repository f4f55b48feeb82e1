import { type ChannelService, demand, inertText, jsonOf, readHtml, textWithin } from './channel-service.js';

const PATH = /^\/_matrix\/client\/v3\/rooms\/(!\w+%3Aexample\.com)\/send\/m\.room\.message\/([\w.-]{1,255})$/;
const refused = (status: number, error: object) => ({ status, body: JSON.stringify(error) });

/** A homeserver of Matrix: messages with HTML, and the edits and replies of other messages. */
export const matrix: ChannelService = {
  group: (url, place = 'one') => ({
    homeserverUrl: `${url}/`,
    roomId: `!${place}:example.com`,
    accessToken: 'syt_t0ken',
  }),
  read(call) {
    const [, place] = PATH.exec(call.path) ?? [];
    demand(call.method === 'PUT' && place, `there is no ${call.method} ${call.path}`);
    demand(call.headers['authorization'] === 'Bearer syt_t0ken', 'the token is wrong');
    demand(Buffer.byteLength(call.body) <= 65_536, 'the event is too large');
    const whole = jsonOf(call);
    const relation = whole['m.relates_to'] ?? {};
    const edited = relation.rel_type === 'm.replace' ? relation.event_id : undefined;
    demand(!edited || whole.body.startsWith('* '), 'what old clients show of an edit does not begin with a star');
    const content = edited ? whole['m.new_content'] : whole;
    const { msgtype, body, format, formatted_body: html } = content;
    demand(['m.text', 'm.notice'].includes(msgtype), `there are no messages ${msgtype}`);
    demand(JSON.stringify(content['m.mentions']) === '{}', 'people may be mentioned');
    demand(format === 'org.matrix.custom.html', `there is no format ${format}`);
    const lines = textWithin(body, 20_000, 'the body').split('\n');
    inertText(lines.filter((line) => !/^[\w ]+: https?:\S+$/.test(line)).join('\n'));
    const seen = { ...readHtml(textWithin(html, 40_000, 'the HTML'), /^<\/?strong>$/), place };
    const parent = relation['m.in_reply_to']?.event_id;
    if (edited) return { ...seen, edits: Number(edited.slice(1)) };
    return { ...seen, ...(parent && { replyTo: Number(parent.slice(1)) }) };
  },
  keyOf: ({ path }) => PATH.exec(path)?.[2],
  taken: (number) => ({ status: 200, body: JSON.stringify({ event_id: `$${number}` }) }),
  busy: (seconds) => refused(429, { errcode: 'M_LIMIT_EXCEEDED', error: 'Slow down', retry_after_ms: seconds * 1_000 }),
  gone: null,
  refusal: {
    answer: refused(403, { errcode: 'M_FORBIDDEN', error: '<b>@bot:example.com not in room</b>' }),
    shown: 'Answered 403 Forbidden (M_FORBIDDEN). The account is not in the room, or may not write there.',
  },
};

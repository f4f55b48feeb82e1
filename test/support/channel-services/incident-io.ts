import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';

const KEYS = ['title', 'description', 'deduplication_key', 'status', 'metadata', 'source_url'];

/** incident.io: `POST /v2/alert_events/http/{id}` (Alert Events V2). */
export const incidentIo: ChannelService = {
  group: (url) => ({ url: `${url}/v2/alert_events/http/01J0`, token: 'inc_0a1b2c3d4e5f' }),
  read(call) {
    demand(call.path === '/v2/alert_events/http/01J0', `there is no ${call.path}`);
    demand(call.headers['authorization'] === 'Bearer inc_0a1b2c3d4e5f', 'the token is invalid');
    const event = jsonOf(call);
    demand(
      Object.keys(event).every((key) => KEYS.includes(key)),
      'there is an unknown field',
    );
    const { title, description, deduplication_key: key, status, source_url: source, metadata } = event;
    demand(status === 'firing' || status === 'resolved', 'status must be one of firing, resolved');
    demand(typeof metadata === 'object', 'metadata must be an object');
    textWithin(key, 255, 'the key');
    demand(!/(?<!\\)(?:\\\\)*[*_`#<[|]/.test(textWithin(description, 50_000, 'the description')), 'it has Markdown');
    const text = `${description.replace(/\\(.)/g, '$1')}\n${textWithin(title, 1_000, 'the title')}`;
    return { text, links: source === undefined ? [] : [source] };
  },
  keyOf(call) {
    const { deduplication_key: key, description } = jsonOf(call);
    return `${key} ${description}`;
  },
  taken: () => ({ status: 202, body: '{"status":"success","message":"Event accepted for processing"}' }),
  refusal: {
    answer: { status: 401, body: '{"type":"authentication_error","status":401}' },
    shown: 'incident.io refused the token (401).',
  },
};

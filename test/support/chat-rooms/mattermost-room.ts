import type { ChatService, RoomAnswer } from './chat-room.js';

const PATH = /^\/api\/v4\/posts(?:\/([^/]+)\/patch)?$/;

const refused = (status: number, id: string): RoomAnswer => ({ status, body: { id, status_code: status } });

/** Posts of a bot in Mattermost: https://developers.mattermost.com/api-documentation/#/operations/CreatePost. */
export const mattermostRoom: ChatService = {
  takesOnce: true,
  answer(room, { method, path, body, headers }) {
    const [matched, edited] = PATH.exec(path) ?? [];
    if (matched === undefined) return refused(404, 'api.context.404.app_error');
    if (headers['authorization'] !== 'Bearer b0ttoken') return refused(401, 'api.context.session_expired.app_error');
    const { channel_id: channel, root_id: root, pending_post_id: pending, ...given } = JSON.parse(body);
    if (edited !== undefined && method === 'PUT') {
      const message = room.messages.find(({ id }) => id === edited);
      if (!message) return refused(404, 'app.post.get.app_error');
      room.edit(message, given);
      return { status: 200, body: { id: message.id } };
    }
    if (root !== undefined && !room.find(root, channel)) return refused(400, 'api.post.create_post.root_id.app_error');
    const known = room.messages.find(({ nonce }) => nonce === pending);
    const message = known ?? room.post(String(room.messages.length).padStart(26, 'p'), channel, given, root ?? null);
    message.nonce = pending;
    return { status: 201, body: { id: message.id } };
  },
  shown({ body }) {
    const { attachments } = body['props'] as { attachments: [Attachment] };
    const [title, ...lines] = attachments[0].text.replaceAll('\\', '').split('\n');
    const facts = attachments[0].fields.map((fact) => `${fact.title}: ${fact.value}`.replaceAll('\\', ''));
    return { title: title!.replace(/^\*\*\S+ (.*)\*\*$/, '$1'), text: [...lines, ...facts].join('\n') };
  },
  group: (url, place) => ({
    ...{ serverUrl: url, botToken: 'b0ttoken', channelId: place.padEnd(26, 'c'), pressToken: 'pr3ss' },
  }),
};

interface Attachment {
  text: string;
  fields: { title: string; value: string }[];
}

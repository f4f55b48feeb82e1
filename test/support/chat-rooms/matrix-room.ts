import type { ChatService } from './chat-room.js';

const PATH = /^\/_matrix\/client\/v3\/rooms\/([^/]+)\/send\/m\.room\.message\/([\w.-]{1,255})$/;

/** A homeserver of Matrix. It takes edits of messages that are gone. https://spec.matrix.org/latest/client-server-api/#event-replacements */
export const matrixRoom: ChatService = {
  takesOnce: true,
  takesLostEdits: true,
  answer(room, { method, path, body, headers }) {
    const [, place, transaction] = PATH.exec(path) ?? [];
    if (method !== 'PUT' || place === undefined) return { status: 404, body: { errcode: 'M_UNRECOGNIZED' } };
    if (headers['authorization'] !== 'Bearer syt_t0ken') return { status: 401, body: { errcode: 'M_UNKNOWN_TOKEN' } };
    const content = JSON.parse(body);
    const known = room.messages.find(({ nonce }) => nonce === transaction);
    if (known) return { status: 200, body: { event_id: known.id } };
    const relation = content['m.relates_to'] ?? {};
    if (relation.rel_type === 'm.replace') {
      const message = room.find(relation.event_id, place);
      if (message) room.edit(message, content['m.new_content']);
      return { status: 200, body: { event_id: `$edit-of${relation.event_id.slice(1)}` } };
    }
    const id = `$${room.messages.length}:example.com/+`;
    const message = room.post(id, place, content, relation['m.in_reply_to']?.event_id ?? null);
    message.nonce = transaction!;
    return { status: 200, body: { event_id: id } };
  },
  shown({ body }) {
    const [title, ...lines] = String(body['body']).split('\n');
    return { title: title!.replace(/^\S+ /, ''), text: lines.join('\n') };
  },
  group: (url, place) => ({ homeserverUrl: url, roomId: `!${place}:example.com`, accessToken: 'syt_t0ken' }),
};

import type { Json } from '../product.js';
import type { ReceivedCall } from '../webhook-receiver.js';
import { type ChannelService, demand, jsonOf, textWithin } from './channel-service.js';
import { linksInText } from './links-in-text.js';

const PATH = /^\/jsm\/ops\/integration\/v2\/alerts(?:\/([^/?]+)\/(acknowledge|close|notes)\?identifierType=alias)?$/;

/** Jira Service Management: the integration events of its alerts. */
export const jiraServiceManagement: ChannelService = {
  variable: 'JSM_API_URL',
  group: () => ({
    apiKey: '0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d',
    responders: 'team:Operations, user:ann@example.com',
  }),
  read(call) {
    demand(PATH.test(call.path), `there is no ${call.path}`);
    demand(
      call.headers['authorization'] === 'GenieKey 0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d',
      'Key format is not valid!',
    );
    const { message, alias, description, note, user, source, entity, priority, details, responders } = jsonOf(call);
    textWithin(source, 100, 'the source');
    if (user !== undefined) textWithin(user, 100, 'the user');
    if (/\/notes/.test(call.path)) textWithin(note, 25_000, 'the note');
    if (actionOf(call)) return { text: note ?? '', links: linksInText(note ?? '') };
    textWithin(alias, 512, 'the alias');
    textWithin(entity, 512, 'the entity');
    demand(/^P[1-5]$/.test(priority), 'the priority is invalid');
    demand(JSON.stringify(details).length <= 8_000, 'the details are too long');
    for (const one of responders) demand(one.id ?? one.name ?? one.username, 'a responder has no name');
    const text = `${textWithin(message, 130, 'the message')}\n${textWithin(description, 15_000, 'the description')}`;
    return { text, links: linksInText(description) };
  },
  // The close that follows an alert at once has nothing that people read.
  keyOf(call) {
    const { alias, note }: Json = jsonOf(call);
    return note === undefined ? (alias ?? PATH.exec(call.path)![1]) : `${call.path} ${note}`;
  },
  taken: () => ({ status: 202, body: '{"result":"Request will be processed","took":0.1,"requestId":"43a29c5c"}' }),
  refusal: {
    answer: { status: 422, body: '{"message":"Key format is not valid!","took":0.001,"requestId":"43a29c5c"}' },
    shown: 'Jira Service Management refused the API key (422).',
  },
};

function actionOf({ path }: ReceivedCall): string | undefined {
  return PATH.exec(path)![2];
}

import { z } from 'zod';
import { type ApiRequest, route, type Route } from '../../../platform/http/route.js';
import { CALL_PATH } from '../../channels/index.js';
import { type ProviderCall, takeCall, takeCallEnd } from './take-call.js';
import { takeServiceEvent } from './take-service-event.js';
import { type PressDeps, takePress } from './take-press.js';

type Called = Pick<
  ApiRequest<{ messageId: string }, unknown, unknown>,
  'params' | 'rawBody' | 'headers' | 'remoteAddress'
>;

const MAX_BODY_BYTES = 128 * 1_024;
/** As text: what is no id is refused as a wrong signature is. */
const params = z.strictObject({ type: z.string(), groupId: z.string() });
const CALLED = {
  method: 'post',
  tag: 'Action groups',
  scopes: 'anonymous',
  role: null,
  params,
  rawBodyLimit: MAX_BODY_BYTES,
  faults: ['invalid_token', 'rate_limited'],
} as const;

/** What the services of action groups call. They have no token of ours: they sign, or send a secret of the group. */
export function serviceCallRoutes(deps: PressDeps): Route[] {
  const callParams = z.strictObject({ messageId: z.string() });
  const providerCall = (request: Called): ProviderCall => ({
    messageId: request.params.messageId,
    body: request.rawBody,
    signature: String(request.headers['x-twilio-signature'] ?? ''),
    remoteAddress: request.remoteAddress,
  });
  return [
    route({
      ...CALLED,
      params: callParams,
      path: `${CALL_PATH}/{messageId}`,
      operationId: 'answerCall',
      audits: ['incident.acknowledged', 'incident.escalated'],
      produces: ['text/xml'],
      summary: 'Get the text of a call, and take the key that was pressed',
      description:
        'For the provider of calls (Twilio), which signs its requests; any other is 401 `invalid_token`. The member with this number acknowledges by 4 and has the leads paged by 6, ' +
        'with the role Responder; any other key repeats.',
      answers: { 200: { description: 'TwiML' } },
      handle: async (request) => ({
        body: await takeCall(deps, providerCall(request), request.via),
        type: 'text/xml; charset=utf-8',
      }),
    }),
    route({
      ...CALLED,
      params: callParams,
      path: `${CALL_PATH}/{messageId}/status`,
      operationId: 'reportCall',
      audits: { none: 'it is the outcome of a message' },
      summary: 'Report how a call ended',
      description:
        'For the provider of calls, as `answerCall`. A number that did not answer is called again, twice at most.',
      answers: { 204: { description: 'Recorded' } },
      run: (request) => takeCallEnd(deps, providerCall(request)),
    }),
    route({
      ...CALLED,
      path: '/api/v1/channels/{type}/press/{groupId}',
      operationId: 'pressButton',
      audits: ['incident.acknowledged'],
      summary: 'Take a press of the button in a message',
      description:
        'For the chats whose messages have a button (`canAcknowledge` of `GET /api/v1/channels`). The chat signs its call, or sends a secret of the group; a call that ' +
        'is not genuine, more than five minutes old where its time is signed, or for no such group is 401 `invalid_token`. The member who has linked the account ' +
        'acknowledges, with the role Responder. Anybody else is shown why nothing changed. A replay gets the first answer again.',
      answers: { 200: { description: 'The answer as the chat wants it', schema: z.record(z.string(), z.unknown()) } },
      run: ({ params: { type, groupId }, rawBody: body, headers, remoteAddress, via }) =>
        takePress(deps, { type, groupId, body, headers, remoteAddress }, via),
    }),
    route({
      ...CALLED,
      path: '/api/v1/channels/{type}/events/{groupId}',
      operationId: 'takeServiceEvent',
      audits: ['incident.acknowledged', 'incident.closed'],
      summary: 'Take what a person did to an incident at a service',
      description:
        'For webhooks of `pagerduty` (V3, signed with `webhookSecret`) and of `jiraServiceManagement` (with the header `X-Watchpost-Secret`, the SHA-256 of the API key in hex). ' +
        'What a person acknowledged or resolved there is so here, and every group is notified but this one. A call that is not genuine, or for no such group, is 401 `invalid_token`; one ' +
        'about something else changes nothing. A replay gets the first answer again.',
      answers: { 200: { description: 'Taken', schema: z.strictObject({}) } },
      run: ({ params: { type, groupId }, rawBody: body, headers, remoteAddress, via }) =>
        takeServiceEvent(deps, { type, groupId, body, headers, remoteAddress }, via),
    }),
  ];
}

import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { channelOf } from '../../channels/index.js';
import { actionGroupSchemaOf } from '../groups/action-group-schemas.js';
import { type AlertDeps, WRITE_ALERTS } from '../../delivery/index.js';
import { MAX_REQUESTS } from './send-confirmation-requests.js';
import { CODE_CHANNELS, confirmGroupNumber, resendConfirmation } from '../groups/group-recipients.js';
import { confirmOwnNumber, readOwnNumber, sendOwnCode } from './own-number.js';
import { chatAccountSchema, contactMethodSchema } from '../../workspaces/index.js';
import { confirmChatAccount, confirmContactMethod } from '../chat-accounts/confirm-chat-account.js';
import {
  confirmChatAccountInput,
  confirmContactMethodInput,
  confirmNumberInput,
  confirmOwnNumberInput,
  currentNumberSchema,
  ownNumberSchema,
  resendToAddressInput,
  resendToNumberInput,
} from './recipient-schemas.js';

const LIMITS = `At most ${MAX_REQUESTS.perDay} requests are sent to a recipient in 24 hours, and ${MAX_REQUESTS.inAll} in all; the plan limits the requests of an owner in a day.`;

/** Confirmation of recipients over REST, except for the link in the mail. */
export function recipientRoutes(deps: AlertDeps): Route[] {
  const ofGroup = {
    method: 'post',
    tag: 'Action groups',
    scopes: WRITE_ALERTS,
    role: 'Editor',
  } as const;
  const own = {
    method: 'post',
    tag: 'Workspaces and members',
    scopes: ['account.write'] as readonly string[],
    role: 'Viewer',
    workspaceParam: 'id',
  } as const;
  return [
    route({
      ...ofGroup,
      path: '/api/v1/action-groups/email/{id}/resend-confirmation',
      operationId: 'resendEmailConfirmation',
      audits: { none: 'it sends a request and changes nothing' },
      summary: 'Send a recipient the link to confirm again',
      description: `Former links become invalid. ${LIMITS}`,
      body: resendToAddressInput,
      answers: { 200: { description: 'The action group', schema: actionGroupSchemaOf('email') } },
      run: ({ actor, params: { id }, body }) => resendConfirmation(deps, actor, { id, type: 'email' }, body.recipient),
    }),
    ...CODE_CHANNELS.flatMap((type) => [
      route({
        ...ofGroup,
        path: `/api/v1/action-groups/${type}/{id}/resend-confirmation`,
        operationId: `resend${channelOf(type).id}Confirmation`,
        audits: { none: 'it sends a request and changes nothing' },
        summary: 'Send a number another code to confirm it with',
        description: `The former code becomes invalid. ${LIMITS}`,
        body: resendToNumberInput,
        answers: { 200: { description: 'The action group', schema: actionGroupSchemaOf(type) } },
        run: ({ actor, params: { id }, body }) => resendConfirmation(deps, actor, { id, type }, body.phoneNumber),
      }),
      route({
        ...ofGroup,
        path: `/api/v1/action-groups/${type}/{id}/confirm-recipient`,
        operationId: `confirm${channelOf(type).id}Recipient`,
        audits: ['action_group.recipient_confirmed'],
        summary: 'Confirm a number by the code that was sent to it',
        description:
          'The user of the phone agrees by passing the code on. A code works for 48 hours and becomes invalid after five wrong ones. It holds for SMS and calls.',
        body: confirmNumberInput,
        answers: { 200: { description: 'The action group as it is now', schema: actionGroupSchemaOf(type) } },
        run: ({ actor, params: { id }, body }) => confirmGroupNumber(deps, actor, { id, type }, body),
      }),
    ]),
    route({
      ...own,
      method: 'get',
      path: '/api/v1/workspaces/{id}/members/me/phone-number',
      operationId: 'getOwnNumber',
      summary: 'Get whether the phone number in my notification preferences is confirmed',
      scopes: ['account.read'],
      answers: { 200: { description: 'The number', schema: currentNumberSchema } },
      run: ({ actor }) => readOwnNumber(deps, actor),
    }),
    route({
      ...own,
      path: '/api/v1/workspaces/{id}/members/me/phone-number/send-code',
      operationId: 'sendOwnCode',
      audits: { none: 'preferences belong to their user, not to a workspace' },
      summary: 'Send a code to the phone number in my notification preferences',
      description: `Where numbers must be confirmed, pages by SMS need it. ${LIMITS}`,
      body: z.strictObject({}).optional(),
      answers: { 200: { description: 'The number', schema: ownNumberSchema } },
      run: ({ actor }) => sendOwnCode(deps, actor),
    }),
    route({
      ...own,
      path: '/api/v1/workspaces/{id}/members/me/phone-number/confirm',
      operationId: 'confirmOwnNumber',
      audits: { none: 'preferences belong to their user, not to a workspace' },
      summary: 'Confirm the phone number in my notification preferences',
      description:
        'Takes the code that was sent to the number. The confirmation also applies to SMS groups of the same owner.',
      body: confirmOwnNumberInput,
      answers: { 200: { description: 'The number', schema: ownNumberSchema } },
      run: ({ actor, body }) => confirmOwnNumber(deps, actor, body.code),
    }),
    route({
      ...own,
      path: '/api/v1/workspaces/{id}/members/me/chat-accounts/confirm',
      operationId: 'confirmChatAccount',
      audits: ['member.chat_account_linked'],
      summary: 'Link a chat account to me by the code that was sent there',
      description:
        'A code works for 48 hours and becomes invalid after five wrong ones. From then on I acknowledge by the button in a message of that chat.',
      body: confirmChatAccountInput,
      answers: { 200: { description: 'The account', schema: chatAccountSchema } },
      run: ({ actor, body }) => confirmChatAccount(deps, actor, body),
    }),
    route({
      ...own,
      path: '/api/v1/workspaces/{id}/members/me/contact-methods/confirm',
      operationId: 'confirmContactMethod',
      audits: ['member.contact_method_confirmed'],
      summary: 'Confirm one of my contact methods by the code that was sent there',
      description:
        'A code works for 48 hours and becomes invalid after five wrong ones. From then on the rules of my notification preferences page me there.',
      body: confirmContactMethodInput,
      answers: { 200: { description: 'The contact method', schema: contactMethodSchema } },
      run: ({ actor, body }) => confirmContactMethod(deps, actor, body),
    }),
  ];
}

import { z } from 'zod';
import { route, type Route } from '../../../platform/http/route.js';
import { idParam } from '../../../platform/http/schemas.js';
import { actionGroupSchemas } from '../action-group-schemas.js';
import type { AlertDeps } from '../alert-deps.js';
import { WRITE_ALERTS } from '../alert-scopes.js';
import { MOST_REQUESTS } from './send-confirmation-requests.js';
import { confirmGroupNumber, resendConfirmation } from './group-recipients.js';
import { confirmOwnNumber, sendOwnCode } from './own-number.js';
import {
  confirmNumberInput,
  confirmOwnNumberInput,
  ownNumberSchema,
  resendToAddressInput,
  resendToNumberInput,
} from './recipient-schemas.js';

const LIMITS = `At most ${MOST_REQUESTS.aDay} requests are sent to a recipient in 24 hours, and ${MOST_REQUESTS.ever} in all; an owner sends a number a day that the plan sets.`;

/** How recipients that must confirm do so, but for the link in their mail. */
export function recipientRoutes(deps: AlertDeps): Route[] {
  const ofGroup = {
    method: 'post',
    tag: 'Action groups',
    scopes: WRITE_ALERTS,
    role: 'Editor',
    params: idParam,
  } as const;
  const own = {
    method: 'post',
    tag: 'Workspaces and members',
    scopes: ['account.write'] as readonly string[],
    role: 'Viewer',
    workspaceParam: 'id',
    params: idParam,
  } as const;
  return [
    route({
      ...ofGroup,
      path: '/api/v1/action-groups/email/{id}/resend-confirmation',
      operationId: 'resendEmailConfirmation',
      summary: 'Send a recipient the link to confirm again',
      description: `The links before it are of no use then. ${LIMITS}`,
      body: resendToAddressInput,
      answers: { 200: { description: 'The action group', schema: actionGroupSchemas.email } },
      handle: async ({ actor, params: { id }, body }) => ({
        body: await resendConfirmation(deps, actor, { id, type: 'email' }, body.recipient),
      }),
    }),
    route({
      ...ofGroup,
      path: '/api/v1/action-groups/sms/{id}/resend-confirmation',
      operationId: 'resendSmsConfirmation',
      summary: 'Send a number another code to confirm it with',
      description: `The code before it is of no use then. ${LIMITS}`,
      body: resendToNumberInput,
      answers: { 200: { description: 'The action group', schema: actionGroupSchemas.sms } },
      handle: async ({ actor, params: { id }, body }) => ({
        body: await resendConfirmation(deps, actor, { id, type: 'sms' }, body.phoneNumber),
      }),
    }),
    route({
      ...ofGroup,
      path: '/api/v1/action-groups/sms/{id}/confirm-recipient',
      operationId: 'confirmSmsRecipient',
      summary: 'Confirm a number by the code that was sent to it',
      description:
        'Whoever has the phone hands the code on: that is the agreement. It works for 48 hours, and five wrong codes end it.',
      body: confirmNumberInput,
      answers: { 200: { description: 'The action group as it is now', schema: actionGroupSchemas.sms } },
      handle: async ({ actor, params: { id }, body }) => ({ body: await confirmGroupNumber(deps, actor, id, body) }),
    }),
    route({
      ...own,
      path: '/api/v1/workspaces/{id}/members/me/phone-number/send-code',
      operationId: 'sendOwnCode',
      summary: 'Send a code to the phone number in my notification preferences',
      description: `Where numbers must be confirmed, pages by SMS need it. ${LIMITS}`,
      body: z.strictObject({}).optional(),
      answers: { 200: { description: 'The number', schema: ownNumberSchema } },
      handle: async ({ actor }) => ({ body: await sendOwnCode(deps, actor) }),
    }),
    route({
      ...own,
      path: '/api/v1/workspaces/{id}/members/me/phone-number/confirm',
      operationId: 'confirmOwnNumber',
      summary: 'Confirm the phone number in my notification preferences',
      description: 'By the code that was sent to it. It holds for SMS groups of the same owner too.',
      body: confirmOwnNumberInput,
      answers: { 200: { description: 'The number', schema: ownNumberSchema } },
      handle: async ({ actor, body }) => ({ body: await confirmOwnNumber(deps, actor, body.code) }),
    }),
  ];
}

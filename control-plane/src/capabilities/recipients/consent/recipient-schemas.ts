import { z } from 'zod';
import { emailAddress, phoneNumber } from '../../../platform/http/schemas.js';
import { chatAccountInput, contactMethodInput } from '../../workspaces/index.js';

const code = z
  .string()
  .regex(/^\d{6}$/, { error: 'must be the 6 digits of the message' })
  .meta({ example: '048213' });

export const confirmNumberInput = z.strictObject({ phoneNumber, code }).meta({ id: 'PhoneNumberConfirmation' });
export const confirmOwnNumberInput = z.strictObject({ code }).meta({ id: 'OwnPhoneNumberConfirmation' });
export const confirmChatAccountInput = chatAccountInput.extend({ code }).meta({ id: 'ChatAccountConfirmation' });
export const confirmContactMethodInput = contactMethodInput.extend({ code }).meta({ id: 'ContactMethodConfirmation' });
export const resendToAddressInput = z.strictObject({ recipient: emailAddress }).meta({ id: 'RecipientResend' });
export const resendToNumberInput = z.strictObject({ phoneNumber }).meta({ id: 'PhoneNumberResend' });

export const ownNumberSchema = z
  .strictObject({
    phoneNumber: z.string().meta({ example: '+353871234567' }),
    isConfirmed: z.boolean().describe('Whether the number may be sent pages as far as confirmation goes'),
  })
  .meta({ id: 'OwnPhoneNumber' });

export const currentNumberSchema = z
  .strictObject({
    phoneNumber: z.string().nullable().describe('null where none is set'),
    isConfirmed: ownNumberSchema.shape.isConfirmed,
  })
  .meta({ id: 'CurrentPhoneNumber' });
export type CurrentNumber = z.output<typeof currentNumberSchema>;

export const linkAnswerSchema = z
  .strictObject({
    message: z.string(),
    recipient: z.string().describe('The address that the link was sent to'),
    state: z.enum(['pending', 'confirmed', 'refused']),
  })
  .meta({ id: 'RecipientLinkAnswer' });

import { z, type ZodObject } from 'zod';
import { nameText } from '../../../platform/http/schemas.js';
import { type ActionGroupType, type AlertRules, channelOf, kindOf } from '../../channels/index.js';

export interface GroupInputSchemas {
  create: ZodObject;
  update: ZodObject;
}

/** The inputs of creating and changing a group of a channel. */
export function actionGroupInputSchemas(rules: AlertRules, type: ActionGroupType): GroupInputSchemas {
  const { id, fields } = channelOf(type);
  const whole = z.strictObject({
    name: nameText.meta({ example: 'On-call engineers' }),
    isEnabled: z.boolean().meta({ description: 'false: nothing is sent to the group. Defaults to true on creation.' }),
    ...Object.fromEntries(fields.map((field) => [field.name, kindOf(field).input(field, rules)])),
  });
  const optional = Object.fromEntries(
    [{ name: 'isEnabled', isRequired: false }, ...fields].flatMap(({ name, isRequired = true }) =>
      isRequired ? [] : [[name, true as const]],
    ),
  );
  return {
    create: whole.partial(optional as { isEnabled: true }).meta({ id: `${id}ActionGroupCreate` }),
    update: whole.partial().meta({ id: `${id}ActionGroupUpdate` }),
  };
}

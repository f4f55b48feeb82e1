import { z, type ZodObject } from 'zod';
import { nameText } from '../../../platform/http/schemas.js';
import { tagList } from '../../monitors/index.js';
import { type ActionGroupType, type AlertRules, channelOf, kindOf } from '../../channels/index.js';
import { groupRulesInput } from '../../group-settings/index.js';

export interface GroupInputSchemas {
  create: ZodObject;
  update: ZodObject;
}

const MAX_ATTACH_TAGS = 50;

const attachTo = z.strictObject({ tags: tagList(MAX_ATTACH_TAGS).default([]), all: z.boolean().default(false) }).meta({
  id: 'AttachToInput',
  description:
    'The monitors that have the group beside those that it is attached to one by one: those with any of the tags, or all of the ' +
    'workspace. Monitors and tags count as they are when an incident changes, so new monitors are included. Replaced as a whole.',
  example: { tags: ['team:web'], all: false },
});

export function actionGroupInputSchemas(rules: AlertRules, type: ActionGroupType): GroupInputSchemas {
  const { id, fields } = channelOf(type);
  const whole = z.strictObject({
    name: nameText.meta({ example: 'On-call engineers' }),
    isEnabled: z.boolean().meta({ description: 'false: nothing is sent to the group. Defaults to true on creation.' }),
    attachTo,
    ...groupRulesInput.shape,
    ...Object.fromEntries(fields.map((field) => [field.name, kindOf(field).input(field, rules)])),
  });
  const optional = Object.fromEntries(
    [
      'isEnabled',
      'attachTo',
      ...Object.keys(groupRulesInput.shape),
      ...fields.flatMap(({ name, isRequired = true }) => (isRequired ? [] : [name])),
    ].map((name) => [name, true as const]),
  );
  return {
    create: whole.partial(optional as { isEnabled: true }).meta({ id: `${id}ActionGroupCreate` }),
    update: whole.partial().meta({ id: `${id}ActionGroupUpdate` }),
  };
}

export { decideGroupContent, emptyContent } from './content/decide-group-content.js';
export type { GroupContent, GroupInput, GroupSettings } from './content/group-content.js';
export {
  newWebhookSecret,
  openGroupSecrets,
  SEALED_GROUP_COLUMNS,
  sealFormerSecret,
  sealGroupSecrets,
  secretsByField,
} from './content/group-secrets.js';
export { contactField, LENT_FIELDS, type Lender, maskContact, resolveContact } from './content/resolve-contact.js';
export { openGroupFields, resolveDestination, type SealedGroup } from './content/resolve-destination.js';
export {
  changedRules,
  groupRulesInput,
  groupRulesShown,
  type GroupRules,
  type StoredRules,
  wholeRules,
} from './rules/group-rules-schemas.js';

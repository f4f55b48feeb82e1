export { alertRoutes } from './alert-routes.js';
export { addUnaskedRecipients, copyRecipientAnswers } from './consent/add-pending-recipients.js';
export { admitMail, sendInvitation } from './consent/admit-mail.js';
export { actionGroupSection } from './groups/document-section.js';
export { withActionGroups } from './groups/monitor-groups-section.js';
export { attachDefaultGroups, detachPurgedGroups, requireActionGroups } from './groups/default-action-groups.js';
export { disableGroupsOverLimit } from './groups/disable-groups-over-limit.js';
export { messagePreviewRoutes } from './groups/message-preview-routes.js';
export { confirmationTask, recipientJobs } from './recipient-jobs.js';

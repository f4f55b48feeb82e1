import type { Examples } from '../example.js';
import { actionGroupExamples } from './action-groups.js';
import { apiKeyExamples } from './api-keys.js';
import { documentExamples } from './documents.js';
import { eventExamples } from './events.js';
import { incidentExamples } from './incidents.js';
import { invitationExamples } from './invitations.js';
import { locationExamples } from './locations.js';
import { maintenanceExamples } from './maintenance.js';
import { markExamples } from './marks.js';
import { monitorExamples } from './monitors.js';
import { onCallExamples } from './on-call.js';
import { pressExamples } from './presses.js';
import { recipientExamples } from './recipients.js';
import { serviceGroupExamples } from './service-groups.js';
import { overviewExamples } from './overview.js';
import { postExamples, publicPageExamples, statusPageExamples } from './status-pages.js';
import { userExamples } from './users.js';
import { workspaceExamples } from './workspaces.js';

/** By operation id. A route without an example here fails the suite. */
export const EXAMPLES: Examples = {
  ...userExamples,
  ...workspaceExamples,
  ...apiKeyExamples,
  ...invitationExamples,
  ...monitorExamples,
  ...locationExamples,
  ...maintenanceExamples,
  ...markExamples,
  ...serviceGroupExamples,
  ...statusPageExamples,
  ...postExamples,
  ...publicPageExamples,
  ...onCallExamples,
  ...overviewExamples,
  ...incidentExamples,
  ...eventExamples,
  ...actionGroupExamples,
  ...pressExamples,
  ...recipientExamples,
  ...documentExamples,
};

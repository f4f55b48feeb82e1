import type { Examples } from '../example.js';
import { accountExamples } from './accounts.js';
import { actionGroupExamples, monitorActionGroupExamples } from './action-groups.js';
import { incidentExamples } from './incidents.js';
import { monitorExamples } from './monitors.js';

/** By operation id. A route without an example here fails the suite. */
export const EXAMPLES: Examples = {
  ...accountExamples,
  ...monitorExamples,
  ...incidentExamples,
  ...actionGroupExamples,
  ...monitorActionGroupExamples,
};

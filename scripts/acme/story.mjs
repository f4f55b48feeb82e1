import { agentOverloaded, answers, timesOut } from './outcomes.mjs';

const CHECKOUT_DOWN = answers(503, 'Service Unavailable', 'upstream connect error: no healthy upstream\n');
const SEARCH_DOWN = answers(502, 'Bad Gateway', 'search-7f9c: index "products-2026-11" is not available\n');

/** Minutes before the end of the day at which something begins and ends; regions: default all of the monitor. */
export const FAULTS = [
  { monitors: ['Checkout', 'Card payments'], from: 214, until: 172, outcome: CHECKOUT_DOWN },
  { monitors: ['Fraud scoring'], from: 249, until: 164, slower: 6 },
  { monitors: ['Product images'], regions: ['southeastasia'], from: 670, until: 585, outcome: timesOut },
  { monitors: ['Help desk'], from: 322, until: 265, outcome: timesOut },
  { monitors: ['Gift cards'], regions: ['eastus2'], from: 36, until: -1_000, outcome: timesOut },
  { monitors: ['Reports export'], from: 75, until: -1_000, outcome: agentOverloaded },
  { monitors: ['Product search'], from: 18, until: -1_000, outcome: SEARCH_DOWN },
];

/** Nothing is reported of a region: its agent has lost its connection. */
export const SILENCES = [{ region: 'northeurope', from: 452, until: 398 }];

/** The fault of a monitor in a region at a time, minutes before the end. */
export function faultAt(name, region, minute) {
  return FAULTS.find(
    (fault) =>
      fault.monitors.includes(name) &&
      (fault.regions ?? [region]).includes(region) &&
      minute <= fault.from &&
      minute > fault.until,
  );
}

export function isSilent(region, minute) {
  return SILENCES.some((silence) => silence.region === region && minute <= silence.from && minute > silence.until);
}

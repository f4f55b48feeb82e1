import type { Disturbance, Judgement, Watched } from './observation.js';

/** What the tests of the judge are made of. */
export const MINUTE = 60_000;
export const T0 = Date.UTC(2026, 10, 23, 9);
export const SHOP: Watched = {
  id: 'shop',
  key: 7,
  kind: 'http',
  subject: '/m/7',
  regions: ['northeurope'],
  intervalMs: MINUTE,
  checksBeforeAlert: 1,
  fromMs: T0 - 10 * MINUTE,
};
export const fault = (
  kind: string,
  role: Disturbance['role'],
  subject: string,
  fromMs: number,
  toMs: number,
): Disturbance => ({
  number: 1,
  kind,
  role,
  subject,
  ...(role === 'agent' ? { region: 'northeurope' as const } : {}),
  fromMs,
  mendedMs: toMs,
  recoveredMs: toMs,
});
export const violations = (one: Judgement) =>
  one.findings.filter(({ explanation }) => explanation === undefined).length;
export const explained = (one: Judgement) => one.findings.length - violations(one);

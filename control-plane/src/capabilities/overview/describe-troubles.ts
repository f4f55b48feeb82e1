import type { readDeliveryTroubles } from '../delivery/index.js';
import type { readLocationStates } from '../fleet/index.js';
import type { findReachTroubles } from '../paging/index.js';
import type { RegionTrust } from '../verdicts/index.js';
import type { OverviewDeps } from './overview-deps.js';
import { TROUBLE_KINDS, type Trouble } from './overview-schemas.js';

const page = (workspaceId: string, path: string) => `/console/w/${workspaceId}/${path}`;
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
const many = (count: number, one: string, more: string) => (count === 1 ? `1 ${one}` : `${count} ${more}`);

/** Regions of which nothing is known, or whose failures do not count. */
export function regionTroubles(workspaceId: string, states: readonly RegionTrust[]): Trouble[] {
  return states.flatMap(({ region, state, sinceMs }): Trouble[] => {
    if (state === 'healthy') return [];
    const about = { level: 'problem' as const, count: 1, since: iso(sinceMs), link: page(workspaceId, 'regions') };
    return state === 'silent'
      ? [
          {
            ...about,
            kind: 'region_silent',
            message: `No agent of ${region} is connected: nothing is known from there.`,
          },
        ]
      : [
          {
            ...about,
            kind: 'region_suspect',
            message: `Failures in ${region} do not count: its agents seem to have lost their network.`,
          },
        ];
  });
}

/** Private locations of which nothing is known, and agents that are not of the version of this service. */
export function locationTroubles(
  workspaceId: string,
  states: Awaited<ReturnType<typeof readLocationStates>>,
): Trouble[] {
  const about = { count: 1, link: page(workspaceId, 'settings/locations') };
  return states.flatMap(({ name, state, lastSeen, outdated }): Trouble[] => {
    const found: Trouble[] = [];
    if (state === 'silent')
      found.push({
        ...about,
        kind: 'location_silent',
        level: 'problem',
        since: lastSeen.toISOString(),
        message: `No agent of the private location ${name} is connected: nothing is known from there.`,
      });
    if (state === 'blind')
      found.push({
        ...about,
        kind: 'location_blind',
        level: 'problem',
        since: null,
        message: `The agents of the private location ${name} reach none of their reference targets: what fails there does not count.`,
      });
    if (outdated > 0)
      found.push({
        ...about,
        kind: 'location_outdated',
        level: 'notice',
        count: outdated,
        since: null,
        message: `${many(outdated, 'agent', 'agents')} of the private location ${name} ${outdated === 1 ? 'is' : 'are'} not of the version of this service. Install that one.`,
      });
    return found;
  });
}

/** What this installation cannot send. */
export function installationTroubles({ mail }: OverviewDeps): Trouble[] {
  if (mail === 'server') return [];
  const about = { count: 1, since: null };
  return mail === 'nowhere'
    ? [
        {
          ...about,
          kind: 'mail_not_configured',
          level: 'problem',
          message: 'This installation sends no mail. Its operator must set SMTP_URL.',
          link: null,
        },
      ]
    : [
        {
          ...about,
          kind: 'mail_kept_here',
          level: 'notice',
          message: 'Mail is not sent: it is kept in the mailbox of this installation. To send it, set SMTP_URL.',
          link: '/mailbox',
        },
      ];
}

/** Messages that do not arrive. */
export function deliveryTroubles(
  workspaceId: string,
  { failed, delayed }: Awaited<ReturnType<typeof readDeliveryTroubles>>,
): Trouble[] {
  const about = { level: 'problem' as const, link: page(workspaceId, 'alerts') };
  const answered = (answer: string | null) => (answer === null ? '' : ` The last answer: ${answer}`);
  const troubles: Trouble[] = [];
  if (failed.count > 0)
    troubles.push({
      ...about,
      kind: 'deliveries_failing',
      count: failed.count,
      since: failed.since?.toISOString() ?? null,
      message: `${many(failed.count, 'message was', 'messages were')} given up in the last hour.${answered(failed.answer)}`,
    });
  if (delayed.count > 0)
    troubles.push({
      ...about,
      kind: 'deliveries_delayed',
      count: delayed.count,
      since: delayed.since?.toISOString() ?? null,
      message: `${many(delayed.count, 'message failed and waits', 'messages failed and wait')} for the next attempt.${answered(delayed.answer)}`,
    });
  return troubles;
}

/** Monitors and recipients that nobody would hear about or that receive nothing. */
export function reachTroubles(
  workspaceId: string,
  { unheard, unconfirmed, groupsWithoutSms }: Awaited<ReturnType<typeof findReachTroubles>>,
): Trouble[] {
  const about = { since: null, link: page(workspaceId, 'alerts') };
  const troubles: Trouble[] = [];
  if (unheard.count > 0) {
    const others = unheard.count - unheard.names.length;
    const names = `${unheard.names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
    troubles.push({
      ...about,
      kind: 'monitors_unheard',
      level: 'problem',
      count: unheard.count,
      link: page(workspaceId, 'monitors'),
      message: `Nobody would hear of an outage of ${names}. Attach an action group, or route the service group to a team.`,
    });
  }
  if (unconfirmed > 0)
    troubles.push({
      ...about,
      kind: 'recipients_unconfirmed',
      level: 'notice',
      count: unconfirmed,
      message: `${many(unconfirmed, 'recipient has', 'recipients have')} not confirmed yet and will receive no alerts. Have the request sent again.`,
    });
  if (groupsWithoutSms > 0)
    troubles.push({
      ...about,
      kind: 'sms_not_configured',
      level: 'problem',
      count: groupsWithoutSms,
      message: `${many(groupsWithoutSms, 'action group sends', 'action groups send')} SMS, and this installation has no SMS provider. Its operator must set TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM.`,
    });
  return troubles;
}

/** Problems before notices, then in the order of the kinds. */
export function orderTroubles(troubles: readonly Trouble[]): Trouble[] {
  const rank = ({ level, kind }: Trouble) =>
    (level === 'problem' ? 0 : TROUBLE_KINDS.length) + TROUBLE_KINDS.indexOf(kind);
  return troubles.toSorted((a, b) => rank(a) - rank(b));
}

import type { ImportContext, SectionOf } from './import-context.js';
import { type Fields, flagOf, numberOf, objectOf, type Row, textOf } from '../import/rows.js';
import { countOf } from '../output/format-time.js';
import { idOf, rowsOf } from './installation.js';
import { appriseUrl } from './apprise-urls.js';
import { CHANNEL_RULES, type ChannelRule } from './channel-fields.js';
import { type Group, isMailAddress, isWebUrl, webhookGroup } from '../import/webhook-group.js';
import { Keys, nameFor, type Secrets } from '../import/names.js';

const MOST_RECIPIENTS = 50;
const PHONE_NUMBER = /^\+[1-9]\d{6,14}$/;

export interface ConvertedNotifications {
  section: SectionOf;
  /** The keys of the action groups of each monitor, by its id in Uptime Kuma. */
  ofMonitors: ReadonlyMap<number, readonly string[]>;
}

/** Notifications become action groups, where Watchpost has the channel. */
export function convertNotifications(context: ImportContext): ConvertedNotifications {
  const { installation, report } = context;
  const keys = new Keys();
  const section: SectionOf = {};
  const keyById = new Map<number, string>();
  const links = linksByNotification(installation);
  const known = new Set<number>();
  for (const row of rowsOf(installation, 'notification')) {
    const id = idOf(row);
    known.add(id);
    const name = nameFor(textOf(row, 'name'), `Notification ${id}`);
    const config = objectOf(row, 'config') ?? {};
    const key = keys.next(name, `notification-${id}`);
    const group = convertNotification(config, key, context);
    if ('untaken' in group) {
      report.untaken(
        'notification',
        name,
        `${group.untaken}; ${countOf(links.get(id)?.length ?? 0, 'monitor')} had it`,
      );
      continue;
    }
    const isOff = row['active'] !== undefined && !flagOf(row, 'active');
    section[key] = { type: group.fields['type'], name, ...group.fields, ...(isOff ? { isEnabled: false } : {}) };
    keyById.set(id, key);
    const isDefault = flagOf(row, 'is_default') || flagOf(row, 'default');
    report.partly('notification', name, [
      ...group.differences,
      ...(isDefault ? ['is no default of new monitors: set it in the settings of the workspace'] : []),
    ]);
  }
  reportLost(context, links, known);
  const ofMonitors = new Map<number, string[]>();
  for (const [id, monitors] of links) {
    const key = keyById.get(id);
    if (key !== undefined)
      for (const monitor of monitors) ofMonitors.set(monitor, [...(ofMonitors.get(monitor) ?? []), key]);
  }
  for (const [monitor, groups] of ofMonitors) ofMonitors.set(monitor, [...new Set(groups)].toSorted());
  return { section, ofMonitors };
}

function reportLost(
  { installation, report }: ImportContext,
  links: ReadonlyMap<number, readonly number[]>,
  notifications: ReadonlySet<number>,
): void {
  const monitors = new Set(rowsOf(installation, 'monitor').map(idOf));
  const lost = [...links].flatMap(([id, ids]) =>
    ids.filter((monitor) => !notifications.has(id) || !monitors.has(monitor)),
  );
  if (lost.length > 0)
    report.add(`notifications: ${countOf(lost.length, 'link')} to a notification or monitor that does not exist`);
}

function linksByNotification(installation: ImportContext['installation']): Map<number, number[]> {
  const links = new Map<number, number[]>();
  for (const row of rowsOf(installation, 'monitor_notification')) {
    const id = numberOf(row, 'notification_id') ?? 0;
    links.set(id, [...(links.get(id) ?? []), numberOf(row, 'monitor_id') ?? 0]);
  }
  return links;
}

function convertNotification(config: Row, key: string, { secrets, appriseApiUrl }: ImportContext): Group {
  const type = textOf(config, 'type') ?? 'unknown';
  if (Object.hasOwn(CHANNEL_RULES, type)) return ruledGroup(CHANNEL_RULES[type]!, config, key, secrets);
  switch (type) {
    case 'smtp':
      return emailGroup(config);
    case 'webhook':
      return notificationWebhook(config, key, secrets);
    case 'twilio':
      return smsGroup(config);
  }
  const url = appriseUrl(type, config);
  if (url === undefined) return { untaken: `there is no channel for ${type}` };
  if (appriseApiUrl === undefined)
    return { untaken: `${type} is reached by Apprise: give its server by --apprise-url` };
  if (url === null) return { untaken: `it has not all values that Apprise needs for ${type}` };
  const urls = secrets.keep(`${key} apprise url`, url);
  return { fields: { type: 'apprise', apiUrl: appriseApiUrl, urls }, differences: ['is sent by Apprise'] };
}

function ruledGroup({ type, fields, lost = [] }: ChannelRule, config: Row, key: string, secrets: Secrets): Group {
  const taken: Fields = {};
  const differences: string[] = [];
  for (const [name, { value, is, isSecret, isOptional }] of Object.entries(fields)) {
    const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    const given = value(config)?.trim() ?? '';
    const isSound = is === undefined ? isWebUrl(given) : is.test(given);
    if (isSound) taken[name] = isSecret ? secrets.keep(`${key} ${words}`, given) : given;
    else if (isOptional !== true) return { untaken: `it has no ${words} as ${type} needs it` };
    else if (given !== '') differences.push(`is sent without its ${words}, which ${type} does not take`);
  }
  if (lost.some((field) => textOf(config, field) !== null))
    differences.push('has the name, the text and the place of its service and of Watchpost');
  return { fields: { type, ...taken }, differences };
}

function emailGroup(config: Row): Group {
  const given = ['smtpTo', 'smtpCC', 'smtpBCC'].flatMap((field) => (textOf(config, field) ?? '').split(/[,;]/));
  const addresses = [
    ...new Set(given.map((text) => (/<([^<>]*)>\s*$/.exec(text)?.[1] ?? text).trim()).filter((text) => text !== '')),
  ];
  const sound = addresses.filter(isMailAddress);
  const recipients = sound.slice(0, MOST_RECIPIENTS);
  if (recipients.length === 0) return { untaken: 'it has no address that mail can be sent to' };
  const left = addresses.filter((address) => !recipients.includes(address));
  const differences = ['is sent by the mail server of Watchpost'];
  if (left.length > 0) differences.push(`is not sent to ${left.join(', ')}`);
  if (textOf(config, 'customSubject') !== null || textOf(config, 'customBody') !== null)
    differences.push('has the text of Watchpost');
  return { fields: { type: 'email', recipients }, differences };
}

function notificationWebhook(config: Row, key: string, secrets: Secrets): Group {
  const headers = objectOf(config, 'webhookAdditionalHeaders');
  const group = webhookGroup(textOf(config, 'webhookURL'), headers ?? {}, key, secrets);
  if ('differences' in group && headers === undefined && textOf(config, 'webhookAdditionalHeaders') !== null)
    group.differences.push('its headers are not sent: they are no JSON object');
  return group;
}

function smsGroup(config: Row): Group {
  const number = (textOf(config, 'twilioToNumber') ?? '').replace(/[\s()-]/g, '');
  if (!PHONE_NUMBER.test(number)) return { untaken: 'its number is not in international form, like +353871234567' };
  return {
    fields: { type: 'sms', phoneNumbers: [number] },
    differences: ['is sent by the Twilio account of Watchpost'],
  };
}

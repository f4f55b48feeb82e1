import { channelLimit, type GroupLimitKey } from '../plans/index.js';
import { apprise } from './apprise.js';
import type { Channel } from './channel.js';
import { discord } from './discord.js';
import { email } from './email.js';
import { gotify } from './gotify.js';
import { incidentIo } from './incident-io.js';
import { jiraServiceManagement } from './jira-service-management.js';
import { ntfy } from './ntfy.js';
import { pagerduty } from './pagerduty.js';
import { pushover } from './pushover.js';
import { googleChat } from './google-chat.js';
import { matrix } from './matrix.js';
import { mattermost } from './mattermost.js';
import { rocketChat } from './rocket-chat.js';
import { slack } from './slack.js';
import { sms } from './sms.js';
import { teams } from './teams.js';
import { telegram } from './telegram.js';
import { voice } from './voice.js';
import { webhook } from './webhook.js';

/** Every channel. A new one is a file beside this one, and its name here. */
const REGISTRY = [
  email,
  sms,
  voice,
  webhook,
  slack,
  teams,
  discord,
  ntfy,
  pushover,
  gotify,
  apprise,
  incidentIo,
  pagerduty,
  jiraServiceManagement,
  telegram,
  googleChat,
  mattermost,
  rocketChat,
  matrix,
] as const;

export type ActionGroupType = (typeof REGISTRY)[number]['type'];
export const CHANNELS: readonly Channel<ActionGroupType>[] = REGISTRY;
export const ACTION_GROUP_TYPES = REGISTRY.map(({ type }) => type) as [ActionGroupType, ...ActionGroupType[]];

const byType = new Map<string, Channel<ActionGroupType>>(CHANNELS.map((channel) => [channel.type, channel]));

export function isChannel(type: string): type is ActionGroupType {
  return byType.has(type);
}

/** @throws Error for what is no channel */
export function channelOf(type: string): Channel<ActionGroupType> {
  const channel = byType.get(type);
  if (channel) return channel;
  throw new Error(`there is no channel ${type}`);
}

/** The channels whose groups one limit of the plan counts together. */
export function typesWithin(limit: GroupLimitKey): ActionGroupType[] {
  return ACTION_GROUP_TYPES.filter((type) => channelLimit(type) === limit);
}

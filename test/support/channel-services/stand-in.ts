import {
  answer,
  type Behaviour,
  type ReceivedCall,
  startWebhookReceiver,
  type WebhookReceiver,
} from '../webhook-receiver.js';
import { apprise } from './apprise.js';
import { type Answer, type ChannelService, Refusal, type Seen } from './channel-service.js';
import { discord, discordBot } from './discord.js';
import { googleChat } from './google-chat.js';
import { gotify } from './gotify.js';
import { incidentIo } from './incident-io.js';
import { jiraServiceManagement } from './jira-service-management.js';
import { matrix } from './matrix.js';
import { mattermost } from './mattermost.js';
import { ntfy } from './ntfy.js';
import { pagerduty } from './pagerduty.js';
import { pushover } from './pushover.js';
import { rocketChat } from './rocket-chat.js';
import { slack, slackBot } from './slack.js';
import { teams } from './teams.js';
import { telegram } from './telegram.js';
import { webhook } from './webhook.js';

/** The services that have a stand-in, by the type of their groups. */
export const CHANNEL_SERVICES = {
  apprise,
  discord,
  googleChat,
  gotify,
  incidentIo,
  jiraServiceManagement,
  matrix,
  mattermost,
  ntfy,
  pagerduty,
  pushover,
  rocketChat,
  slack,
  teams,
  telegram,
  webhook,
} satisfies Record<string, ChannelService>;

/** Services that groups reach by a bot in place of a webhook. */
export const BOT_SERVICES = { discordBot, slackBot } satisfies Record<string, ChannelService>;

/** A message as readers see it now. */
export interface Posted extends Seen {
  number: number;
  title: string;
  /** How often it was edited. */
  changes: number;
}

/** A service that runs in this process in place of the real one. */
export interface StandIn {
  readonly service: ChannelService;
  readonly receiver: WebhookReceiver;
  /** What it took, in this order; what replaces a message is one of its own. */
  readonly messages: Seen[];
  /** What its readers see now, in the order in which it was posted. */
  readonly room: Posted[];
  /** Why it refused calls. */
  readonly refused: string[];
  /** The behaviour of the real service, to which the receiver returns by `always(obey)`. */
  readonly obey: Behaviour;
  /** Takes a message, and never answers. */
  readonly lose: Behaviour;
  /** The answer of the real service where messages come too fast. */
  busy(seconds: number): Behaviour;
}

type ServiceName = keyof typeof CHANNEL_SERVICES | keyof typeof BOT_SERVICES;

export async function startStandIn(name: ServiceName): Promise<StandIn> {
  const service: ChannelService = { ...CHANNEL_SERVICES, ...BOT_SERVICES }[name];
  const { keyOf, gone, unchanged, orphan } = service;
  const receiver = await startWebhookReceiver();
  const messages: Seen[] = [];
  const room: Posted[] = [];
  const refused: string[] = [];
  /** The answer to a call that made or changed a message, by what it is recognised by. */
  const known = new Map<string, Answer>();
  let count = 0;
  const taken = service.taken ?? ((): Answer => ({ status: 200 }));

  function take(call: ReceivedCall): Answer {
    const asked = service.ask?.(call);
    if (asked) return asked;
    const seen = service.read(call);
    const key = keyOf?.(call);
    const before = key === undefined ? undefined : known.get(key);
    if (before) return before;
    const current = room.find(({ number, place }) => number === seen.edits && place === seen.place);
    if (seen.edits !== undefined && current === undefined && gone !== null)
      throw new Refusal(`there is no message ${seen.edits}`, gone);
    if (current && unchanged && current.text === seen.text) throw new Refusal('nothing changes', unchanged);
    if (seen.replyTo !== undefined && orphan && !room.some(({ number }) => number === seen.replyTo))
      throw new Refusal(`there is no message ${seen.replyTo}`, orphan);
    messages.push(seen);
    const shown = { ...seen, title: titleOf(seen.text) };
    if (current) Object.assign(current, shown, { changes: current.changes + 1 });
    else if (seen.edits === undefined) room.push({ ...shown, number: ++count, changes: 0 });
    const answered = taken(seen.edits ?? count, seen);
    if (key !== undefined) known.set(key, answered);
    return answered;
  }

  function answerTo(call: ReceivedCall): Answer {
    try {
      return take(call);
    } catch (error) {
      refused.push(error instanceof Refusal ? error.message : String(error));
      return error instanceof Refusal ? error.answer : { status: 400 };
    }
  }

  const obey: Behaviour = (call, ...rest) => answering(answerTo(call))(call, ...rest);
  const lose: Behaviour = (call) => void answerTo(call);
  receiver.always(obey);
  const busy = service.busy ?? ((seconds) => ({ status: 429, headers: { 'retry-after': String(seconds) } }));
  return { service, receiver, messages, room, refused, obey, lose, busy: (seconds) => answering(busy(seconds)) };
}

/** The title of a message, without the mark of its state. */
function titleOf(text: string): string {
  return text
    .trim()
    .split('\n')[0]!
    .replace(/^[^\p{L}\p{N}]+/u, '');
}

export const answering = ({ status, headers, body }: Answer): Behaviour => answer(status, headers, body);

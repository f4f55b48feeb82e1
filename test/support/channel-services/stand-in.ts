import { answer, type Behaviour, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.js';
import { apprise } from './apprise.js';
import { type Answer, type ChannelService, demand, Refusal, type Seen } from './channel-service.js';
import { discord } from './discord.js';
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
import { slack } from './slack.js';
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

/** A service that runs in this process in place of the real one. */
export interface StandIn {
  readonly service: ChannelService;
  readonly receiver: WebhookReceiver;
  /** What it took, in this order; what replaces a message is one of its own. */
  readonly messages: Seen[];
  /** Why it refused calls. */
  readonly refused: string[];
  /** The behaviour of the real service, to which the receiver returns by `always(obey)`. */
  readonly obey: Behaviour;
  /** The answer of the real service where messages come too fast. */
  busy(seconds: number): Behaviour;
}

export async function startStandIn(type: keyof typeof CHANNEL_SERVICES): Promise<StandIn> {
  const service: ChannelService = CHANNEL_SERVICES[type];
  const receiver = await startWebhookReceiver();
  const messages: Seen[] = [];
  const refused: string[] = [];
  /** The number of the message that a call made or changed, by what it is recognised by. */
  const known = new Map<string | symbol, number>();
  const posts = new Set<number>();
  const taken = service.taken ?? (() => ({ status: 200 }));
  const obey: Behaviour = (call, ...rest) => {
    try {
      const seen = service.read(call);
      if (seen.edits !== undefined) demand(posts.has(seen.edits), `there is no message ${seen.edits}`);
      const key = service.keyOf?.(call) ?? Symbol();
      const number = known.get(key) ?? seen.edits ?? posts.size + 1;
      posts.add(number);
      if (!known.has(key)) messages.push(seen);
      known.set(key, number);
      answering(taken(number))(call, ...rest);
    } catch (error) {
      refused.push(error instanceof Refusal ? error.message : String(error));
      answer(400)(call, ...rest);
    }
  };
  receiver.always(obey);
  const busy = service.busy ?? ((seconds) => ({ status: 429, headers: { 'retry-after': String(seconds) } }));
  return { service, receiver, messages, refused, obey, busy: (seconds) => answering(busy(seconds)) };
}

export const answering = ({ status, headers, body }: Answer): Behaviour => answer(status, headers, body);

import { answer, type Behaviour, startWebhookReceiver, type WebhookReceiver } from '../webhook-receiver.js';
import { apprise } from './apprise.js';
import { type Answer, type ChannelService, Refusal, type Seen } from './channel-service.js';
import { discord } from './discord.js';
import { gotify } from './gotify.js';
import { incidentIo } from './incident-io.js';
import { jiraServiceManagement } from './jira-service-management.js';
import { ntfy } from './ntfy.js';
import { pagerduty } from './pagerduty.js';
import { pushover } from './pushover.js';
import { slack } from './slack.js';
import { teams } from './teams.js';
import { webhook } from './webhook.js';

/** The services that have a stand-in, by the type of their groups. */
export const CHANNEL_SERVICES = {
  apprise,
  discord,
  gotify,
  incidentIo,
  jiraServiceManagement,
  ntfy,
  pagerduty,
  pushover,
  slack,
  teams,
  webhook,
} satisfies Record<string, ChannelService>;

/** A service that runs in this process in place of the real one. */
export interface StandIn {
  readonly service: ChannelService;
  readonly receiver: WebhookReceiver;
  /** What it took, in this order. */
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
  const known = new Set<string>();
  const taken = service.taken ?? (() => ({ status: 200 }));
  const obey: Behaviour = (call, ...rest) => {
    try {
      const seen = service.read(call);
      const key = service.keyOf?.(call);
      if (key === undefined || !known.has(key)) messages.push(seen);
      if (key !== undefined) known.add(key);
      answering(taken(messages.length))(call, ...rest);
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

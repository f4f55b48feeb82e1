import { z } from 'zod';
import { jsonOf } from '../sending/post-json.js';
import { isSameSecret } from '../../../platform/identity/is-same-secret.js';
import { derivedSecret } from './make-secrets.js';
import { headerOf, type ServiceEvent, type ServiceEvents } from './service-call.js';

const CHANGES: ReadonlyMap<string, ServiceEvent['change']> = new Map([
  ['Acknowledge', 'acknowledged'],
  ['Close', 'resolved'],
]);
const webhook = z.object({
  action: z.string(),
  // What the service does by itself, and what our own messages cause there, has no user.
  alert: z.object({ alias: z.string(), username: z.string(), userId: z.string().min(1) }),
});

/** The outgoing webhook, whose alias is that of our alerts. It signs nothing, and sends headers that its owner chooses. */
export const jiraEvents: ServiceEvents = {
  needs: ['apiKey'],
  isGenuine: (call, { apiKey }) => isSameSecret(headerOf(call, 'x-watchpost-secret'), derivedSecret(apiKey)),
  read(body) {
    const { data } = webhook.safeParse(jsonOf(body.toString()));
    const change = CHANGES.get(data?.action ?? '');
    if (!data || change === undefined) return null;
    return { change, incidentId: data.alert.alias, person: data.alert.username };
  },
};

import { z } from 'zod';
import { jsonOf } from '../sending/post-json.js';
import { isSameSecret } from '../../../platform/identity/is-same-secret.js';
import { hmacHex } from './make-secrets.js';
import { headerOf, type ServiceEvent, type ServiceEvents } from './service-call.js';

const CHANGES: ReadonlyMap<string, ServiceEvent['change']> = new Map([
  ['incident.acknowledged', 'acknowledged'],
  ['incident.resolved', 'resolved'],
]);
const webhook = z.object({
  event: z.object({
    event_type: z.string(),
    // What PagerDuty does by itself, and what our own messages cause there, has no user.
    agent: z.object({ type: z.literal('user_reference'), summary: z.string() }),
    data: z.object({ incident_key: z.string() }),
  }),
});

/** Webhooks V3, whose incident key is the deduplication key of our events. */
export const pagerdutyEvents: ServiceEvents = {
  needs: ['webhookSecret'],
  isGenuine(call, { webhookSecret }) {
    const signature = `v1=${hmacHex(webhookSecret, call.body)}`;
    // While a secret is replaced, there is a signature by each. All are compared.
    const given = headerOf(call, 'x-pagerduty-signature').split(',');
    return given.map((one) => isSameSecret(one.trim(), signature)).includes(true);
  },
  read(body) {
    const { data } = webhook.safeParse(jsonOf(body.toString()));
    const change = CHANGES.get(data?.event.event_type ?? '');
    if (!data || change === undefined) return null;
    return { change, incidentId: data.event.data.incident_key, person: data.event.agent.summary };
  },
};

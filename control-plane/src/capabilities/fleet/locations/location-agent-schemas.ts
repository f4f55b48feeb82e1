import { z } from 'zod';
import { AGENT_PROGRAMS } from '../agents/decide-agent-state.js';
import { isoTimestamp, nameText, uuid } from '../../../platform/http/schemas.js';

/** The most agents of a location that are not revoked: they share its checks. */
export const MAX_LOCATION_AGENTS = 20;

export const LOCATION_AGENT_STATES = ['waiting', 'connected', 'silent', 'blind', 'outdated'] as const;

export const locationAgentCreateSchema = z.strictObject({ name: nameText }).meta({ id: 'LocationAgentCreate' });
export type LocationAgentCreate = z.output<typeof locationAgentCreateSchema>;

export const locationAgentSchema = z
  .strictObject({
    id: uuid,
    name: z.string(),
    version: z.string().nullable().describe('As it reported when it last connected'),
    platform: z.string().nullable().describe('Such as `linux-x64`, as it reported when it last connected'),
    lacks: z
      .array(z.enum(AGENT_PROGRAMS))
      .describe(
        'Programs that its machine lacks, or that it may not use: without `ping` it runs no pings, without `traceroute` it traces no paths',
      ),
    state: z
      .enum(LOCATION_AGENT_STATES)
      .describe(
        '`waiting`: it never connected. `silent`: it is not connected. `blind`: it reaches none of its reference targets, so its ' +
          'failures do not count. `outdated`: it is connected, and of another version than this service.',
      ),
    lastSeen: isoTimestamp.nullable(),
    certificateExpires: isoTimestamp.nullable(),
    spooled: z.int().describe('Results that it has and that are not stored yet'),
  })
  .meta({ id: 'LocationAgent' });
export type LocationAgent = z.output<typeof locationAgentSchema>;

export const newLocationAgentSchema = locationAgentSchema
  .extend({
    controlPlaneUrl: z.url().describe('Where it connects: `CONTROL_PLANE_URL` of the agent'),
    token: z
      .string()
      .optional()
      .describe(
        'With it the agent enrols, once: `AGENT_TOKEN` of the agent. It is in the first answer alone, not in one that a repeated `Idempotency-Key` gets; only its hash is stored.',
      ),
  })
  .meta({ id: 'NewLocationAgent' });
export type NewLocationAgent = z.output<typeof newLocationAgentSchema>;

import type { EgressPolicy } from '@watchpost/shared/egress';
import { Fault } from '@watchpost/shared/fault';
import { z } from 'zod';
import type { RateLimiter } from '../../../platform/http/rate-limiter.js';
import { addressBlock, networkBlock } from '../../../platform/http/remote-address.js';
import { checkedText, isoTimestamp } from '../../../platform/http/schemas.js';
import { readableText } from '../../../platform/mcp/monitored-data.js';
import { oneOf, tool, type Tool } from '../../../platform/mcp/tool.js';
import { urlFaults } from '../../monitors/index.js';
import { checkPublicUrl, PUBLIC_CHECK_MS, type PublicCheckDeps } from './check-public-url.js';

export interface CheckToolDeps extends PublicCheckDeps {
  /** What anonymous callers may reach: public addresses, and what the operator adds (PUBLIC_CHECK_ALLOW_CIDRS). */
  egress: EgressPolicy;
  limits: PublicCheckLimits;
}

/** Checked in this order. A call that one limit refuses does not count against the next ones. */
export interface PublicCheckLimits {
  /** For an IPv4 address or an IPv6 /64. */
  address: RateLimiter;
  /** For an IPv4 /24 or an IPv6 /48, which one person may own. */
  network: RateLimiter;
  /** For all anonymous callers together. */
  everybody: RateLimiter;
}

/** Calls per minute. */
export const PUBLIC_CHECKS = { address: 1, network: 10, everybody: 120 } as const;

const output = z.strictObject({
  url: z.string(),
  method: z.enum(['GET', 'HEAD']),
  statusCode: z.int().nullable().describe('null without an answer'),
  isAvailable: z.boolean().describe('Whether the status is 2xx or 3xx; a redirect is not followed'),
  latencyMs: z.number().min(0).describe('Milliseconds from the start to the end of the answer'),
  checkedAtUtc: isoTimestamp,
  error: z.string().describe('What went wrong; empty when successful'),
});

/** The MCP tool that needs no account. */
export function checkTools(deps: CheckToolDeps): Tool[] {
  const url = checkedText(2_048, (text) => publicUrlFaults(text, deps.egress)).describe(
    'The http:// or https:// URL to request, on the public internet.',
  );
  return [
    tool({
      name: 'check_http_availability_latency',
      title: 'Check a URL now',
      description:
        'Requests any public http(s) URL once, right now, from Ireland, and returns its status and response time: for "is this ' +
        'site up?" when it is not monitored, or for a second look at one that is. A redirect is not followed: 3xx counts as ' +
        'available. Needs no sign-in; one call a minute. Nothing of the answer is kept; use get_monitor_uptime for the past. ' +
        `Takes at most ${PUBLIC_CHECK_MS / 1_000} s.`,
      input: z.strictObject({
        url,
        method: z.enum(['GET', 'HEAD']).default('GET').describe('HEAD asks for no body.'),
      }),
      output,
      access: 'anonymous',
      effect: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
      async handle({ args, remoteAddress }) {
        const { address, network, everybody } = deps.limits;
        await take(address, addressBlock(remoteAddress), 'This tool may be used once a minute.');
        await take(network, networkBlock(remoteAddress), 'Your network has used this tool too often: try again later.');
        await take(
          everybody,
          'all',
          'Too many people use this tool right now: try again later, or sign in and test there.',
        );
        const result = await checkPublicUrl(deps, args);
        return oneOf({ ...result, error: readableText(result.error) });
      },
    }),
  ];
}

async function take(limit: RateLimiter, key: string, message: string): Promise<void> {
  const { allowed, resetSeconds } = await limit.take(key);
  if (!allowed) throw new Fault('rate_limited', message, [], Math.max(1, resetSeconds));
}

function publicUrlFaults(url: string, egress: EgressPolicy): string[] {
  if (!/^https?:\/\//i.test(url)) return ['must be an http:// or https:// URL'];
  return urlFaults(url, egress).map((fault) =>
    fault
      .replace(/^must not hold credentials.*/, 'must not hold credentials')
      .replace('PROBE_ALLOW_CIDRS', 'PUBLIC_CHECK_ALLOW_CIDRS'),
  );
}

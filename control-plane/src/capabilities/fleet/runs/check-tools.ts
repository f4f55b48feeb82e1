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
  /** What strangers may reach: public addresses, and what the operator adds (PUBLIC_CHECK_ALLOW_CIDRS). */
  egress: EgressPolicy;
  limits: PublicCheckLimits;
}

/** Who has used up the first has not taken anything from the ones behind it. */
export interface PublicCheckLimits {
  /** One call a minute for an IPv4 address or an IPv6 /64. */
  address: RateLimiter;
  /** For an IPv4 /24 or an IPv6 /48, which one person can have to themselves. */
  network: RateLimiter;
  /** For all strangers together. */
  everybody: RateLimiter;
}

/** Calls a minute. */
export const PUBLIC_CHECKS = { address: 1, network: 10, everybody: 120 } as const;

const output = z.strictObject({
  url: z.string(),
  method: z.enum(['GET', 'HEAD']),
  statusCode: z.int().nullable().describe('null where no answer came'),
  isAvailable: z.boolean().describe('Whether the status is 2xx or 3xx; a redirect is not followed'),
  latencyMs: z.number().min(0).describe('Milliseconds from the start to the end of the answer'),
  checkedAtUtc: isoTimestamp,
  error: z.string().describe('What went wrong; empty when successful'),
});

/** The one tool that anybody may use, without an account. */
export function checkTools(deps: CheckToolDeps): Tool[] {
  const url = checkedText(2_048, (text) => publicUrlFaults(text, deps.egress)).describe(
    'The http:// or https:// URL to ask, on the public internet.',
  );
  return [
    tool({
      name: 'check_http_availability_latency',
      title: 'Check a URL now',
      description:
        'Asks any public http(s) URL once, right now, from Ireland, and tells its status and how long it took: for "is this site up?" ' +
        '(a redirect is not followed: 3xx counts as available) ' +
        'when it is not monitored, or for a second look at one that is. Needs no sign-in; one call a minute. It says nothing ' +
        `of the past (get_monitor_uptime does) and keeps nothing of the page. Takes at most ${PUBLIC_CHECK_MS / 1_000} s.`,
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

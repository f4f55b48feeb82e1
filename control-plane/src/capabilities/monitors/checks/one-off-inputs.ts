import type { CheckKind, ProbeTarget } from '@watchpost/shared/check';
import type { FaultDetail } from '@watchpost/shared/fault';
import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';
import { z } from 'zod';
import { checkedText, durationSchema } from '../../../platform/http/schemas.js';
import { addressesSettings } from '../settings/addresses-setting.js';
import { decideSecrets } from '../settings/decide-secrets.js';
import { contradictable, decideSettingsFaults } from '../settings/decide-settings-faults.js';
import { overlay } from '../../../platform/http/define-settings.js';
import type { MonitorRules } from '../settings/monitor-input-schemas.js';
import { hostnameFaults, urlFaults } from '../settings/monitor-url.js';
import { namedHosts, type NamedHost, regionalFaults } from '../settings/named-hosts.js';
import {
  dnsSettings,
  sslSettings,
  TYPE_SETTINGS,
  typeSettingsInputs,
  type TypeSettings,
} from '../settings/type-settings-schemas.js';
import { checkTarget } from './check-target.js';

/** The longest that a one-off check may take. */
export const MAX_ONE_OFF_MS = 60_000;
const DEFAULT_MS = 30_000;

export interface OneOffCheck {
  target: ProbeTarget;
  timeoutMs: number;
  /** The slug of the private location that runs it; null for the home region. */
  location: string | null;
  /** By the fields of the input. */
  hosts: readonly NamedHost[];
}

interface Body {
  timeout?: number | undefined;
  location?: string | undefined;
}

function checkOf(kind: CheckKind, url: string, settings: Partial<TypeSettings>, body: Body): OneOffCheck {
  const { timeout = DEFAULT_MS, location } = body;
  const hosts = hostsIn(body);
  return {
    target: checkTarget(kind, url, settings, () => ({}))!,
    timeoutMs: timeout,
    location: location ?? null,
    hosts,
  };
}

const naming = contradictable.extend({
  hostname: z.string().optional().catch(undefined),
  resolvers: z.array(z.unknown()).optional().catch(undefined),
});

/** The hosts that a body names, as far as it can be read. */
function hostsIn(body: unknown): NamedHost[] {
  const { hostname, resolvers, ...settings } = naming.safeParse(body).data ?? {};
  if (hostname === undefined) return namedHosts(settings);
  return namedHosts({ url: hostname, dns: { resolvers } }).map(({ path, host }) => ({
    path: path === 'url' ? 'hostname' : path.replace('dns.', ''),
    host,
  }));
}

const LOCATION = z.string().max(40).optional().meta({
  description: 'The slug of a private location: its agents run the test, and not those of the home region.',
  example: 'office',
});

/** The inputs of one-off checks. The rules and the defaults are those of a monitor's settings. */
export function oneOffInputs({ egress }: Pick<MonitorRules, 'egress'>) {
  const inputs = typeSettingsInputs();
  const report = (context: z.RefinementCtx, faults: readonly FaultDetail[]) => {
    for (const { path, message } of faults) context.addIssue({ code: 'custom', path: path.split('.'), message });
  };
  /** Reported together with the faults of the fields. The ranges of a location are compared where they are known. */
  const requireReachable = (body: unknown, context: z.RefinementCtx) => {
    if ((body as Body | undefined)?.location === undefined) report(context, regionalFaults(hostsIn(body), egress));
  };

  const { recordTypes, resolvers } = inputs.dns.shape;
  return {
    ofType(type: MonitorType) {
      const { kind, settings, url: facts } = factsOf(type);
      const field = settings[0] as keyof TypeSettings;
      const { defaults } = TYPE_SETTINGS[field];
      const whole = (given: unknown) => ({ [field]: overlay<object>(defaults, given as object | undefined) });
      return z
        .strictObject({
          url: checkedText(2_048, urlFaults).meta({
            description: `What to test: ${facts.words}.`,
            example: facts.example,
          }),
          [field]: inputs[field].optional(),
          timeout: durationSchema({ minMs: 5_000, maxMs: MAX_ONE_OFF_MS })
            .optional()
            .meta({ description: 'How long the test may take, PT5S to PT60S.', default: 'PT30S', example: 'PT10S' }),
          location: LOCATION,
        })
        .superRefine((body, context) => {
          const { url, timeout, ...given } = body as { url: string } & Body & Record<string, unknown>;
          const settings = whole(given[field]);
          // Nothing is stored for a test, so that `***` keeps nothing.
          const { faults } = decideSecrets(settings, {}, {});
          faults.push(
            ...decideSettingsFaults({ url, monitorTypes: [type], checkTimeout: timeout ?? DEFAULT_MS, ...settings }),
          );
          report(context, faults);
        })
        .superRefine(requireReachable, { when: () => true })
        .transform((body) => {
          const url = body.url as string;
          const settings = whole(body[field]) as Partial<TypeSettings>;
          return checkOf(kind as CheckKind, url, settings, body);
        });
    },
    ssl: z
      .strictObject({
        url: checkedText(2_048, urlFaults).meta({
          description: 'The https:// URL whose certificate is checked; with `startTls` a tcp:// URL.',
          example: 'https://example.com',
        }),
        addresses: addressesSettings.addresses.optional(),
        eachMustWork: addressesSettings.eachMustWork.optional(),
        startTls: sslSettings.fields.startTls.optional(),
        location: LOCATION,
      })
      .superRefine(({ url, addresses = null, startTls = null }, context) => {
        const ssl = { addresses, startTls };
        const faults = decideSettingsFaults({ url, monitorTypes: ['SslCertificate'], ssl });
        report(
          context,
          faults.map(({ path, message }) => ({ path: path.replace('ssl.', ''), message })),
        );
      })
      .superRefine(requireReachable, { when: () => true })
      .transform((body) => {
        const { url, location: _, ...ssl } = body;
        return checkOf('ssl', url, { ssl: overlay(sslSettings.defaults, ssl) }, body);
      }),
    dns: z
      .strictObject({
        hostname: checkedText(253, hostnameFaults).meta({
          description: 'The name to look up.',
          example: 'example.com',
        }),
        recordTypes,
        resolvers,
        location: LOCATION,
      })
      .superRefine(requireReachable, { when: () => true })
      .transform((body) => {
        const { hostname, location: _, ...dns } = body;
        return checkOf('dns', hostname, { dns: overlay(dnsSettings.defaults, dns) }, body);
      }),
  };
}

import type { CheckKind, ProbeTarget } from '@watchpost/shared/check';
import { factsOf, type MonitorType } from '@watchpost/shared/monitor-types';
import { z } from 'zod';
import { checkedText, durationSchema } from '../../../platform/http/schemas.js';
import { addressesSettings } from '../settings/addresses-setting.js';
import { decideSecrets } from '../settings/decide-secrets.js';
import { decideSettingsFaults } from '../settings/decide-settings-faults.js';
import { overlay } from '../../../platform/http/define-settings.js';
import type { MonitorRules } from '../settings/monitor-input-schemas.js';
import { hostnameFaults, urlFaults } from '../settings/monitor-url.js';
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

/** A check that runs once, outside of any schedule. */
export interface OneOffCheck {
  target: ProbeTarget;
  timeoutMs: number;
}

function checkOf(kind: CheckKind, url: string, settings: Partial<TypeSettings>, timeoutMs = DEFAULT_MS): OneOffCheck {
  return { target: checkTarget(kind, url, settings, () => ({}))!, timeoutMs };
}

/** The inputs of one-off checks. The rules and the defaults are those of a monitor's settings. */
export function oneOffInputs({ egress }: Pick<MonitorRules, 'egress'>) {
  const inputs = typeSettingsInputs(egress);
  const { recordTypes, resolvers } = inputs.dns.shape;
  return {
    /** The input of a type that one group of settings sets. */
    ofType(type: MonitorType) {
      const { kind, settings, url: facts } = factsOf(type);
      const field = settings[0] as keyof TypeSettings;
      const { defaults } = TYPE_SETTINGS[field];
      const whole = (given: unknown) => ({ [field]: overlay<object>(defaults, given as object | undefined) });
      return z
        .strictObject({
          url: checkedText(2_048, (url) => urlFaults(url, egress)).meta({
            description: `What to test: ${facts.words}.`,
            example: facts.example,
          }),
          [field]: inputs[field].optional(),
          timeout: durationSchema({ minMs: 5_000, maxMs: MAX_ONE_OFF_MS })
            .optional()
            .meta({ description: 'How long the test may take, PT5S to PT60S.', default: 'PT30S', example: 'PT10S' }),
        })
        .superRefine((body, context) => {
          const { url, timeout, ...given } = body as { url: string; timeout?: number } & Record<string, unknown>;
          const settings = whole(given[field]);
          // Nothing is stored for a test, so that `***` keeps nothing.
          const { faults } = decideSecrets(settings, {}, {});
          faults.push(
            ...decideSettingsFaults({ url, monitorTypes: [type], checkTimeout: timeout ?? DEFAULT_MS, ...settings }),
          );
          for (const { path, message } of faults) context.addIssue({ code: 'custom', path: path.split('.'), message });
        })
        .transform(({ url, timeout, ...given }) =>
          checkOf(
            kind as CheckKind,
            url as string,
            whole(given[field]) as Partial<TypeSettings>,
            timeout as number | undefined,
          ),
        );
    },
    ssl: z
      .strictObject({
        url: checkedText(2_048, (url) => urlFaults(url, egress)).meta({
          description: 'The https:// URL whose certificate is checked; with `startTls` a tcp:// URL.',
          example: 'https://example.com',
        }),
        addresses: addressesSettings.addresses.optional(),
        eachMustWork: addressesSettings.eachMustWork.optional(),
        startTls: sslSettings.fields.startTls.optional(),
      })
      .superRefine(({ url, addresses = null, startTls = null }, context) => {
        const ssl = { addresses, startTls };
        for (const { path, message } of decideSettingsFaults({ url, monitorTypes: ['SslCertificate'], ssl }))
          context.addIssue({ code: 'custom', path: [path.replace('ssl.', '')], message });
      })
      .transform(({ url, ...ssl }) => checkOf('ssl', url, { ssl: overlay(sslSettings.defaults, ssl) })),
    dns: z
      .strictObject({
        hostname: checkedText(253, (hostname) => hostnameFaults(hostname, egress)).meta({
          description: 'The name to look up.',
          example: 'example.com',
        }),
        recordTypes,
        resolvers,
      })
      .transform(({ hostname, ...dns }) => checkOf('dns', hostname, { dns: overlay(dnsSettings.defaults, dns) })),
  };
}

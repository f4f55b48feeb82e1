import { Agent } from 'undici';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import type { Channels } from './channels.js';
import { createEgressAgent } from './egress-agent.js';
import { createSmtpMailer, type Mailer } from '../../../platform/mail/mailer.js';
import { createTwilioProvider, noPhoneProvider, type TwilioAccount } from './phone-provider.js';

export interface ChannelSettings {
  smtpUrl: string | null;
  mailFrom: string;
  twilio: TwilioAccount | null;
  webhookAllowCidrs: readonly string[];
  serviceUrls: Readonly<Record<string, string>>;
}

export function createChannels(deps: {
  settings: ChannelSettings;
  /** Sends mail where the settings name no mail server. */
  mailerWithoutServer: Mailer;
  baseUrl: string;
  /** The deadline of one attempt over HTTP, ms; default 10 s. */
  tryMs?: number;
}): Channels {
  const { settings, mailerWithoutServer, baseUrl, tryMs } = deps;
  const { smtpUrl, mailFrom: from, twilio, webhookAllowCidrs, serviceUrls } = settings;
  const trusted = new Agent();
  return {
    mailer: smtpUrl === null ? mailerWithoutServer : createSmtpMailer({ smtpUrl, from, baseUrl }),
    phone: twilio ? createTwilioProvider(twilio, trusted, tryMs) : noPhoneProvider,
    outbound: createEgressAgent(createEgressPolicy({ allowCidrs: webhookAllowCidrs, ownAddresses })),
    trusted,
    serviceUrls,
    baseUrl,
    ...(tryMs === undefined ? {} : { tryMs }),
  };
}

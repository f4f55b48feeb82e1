import { Agent } from 'undici';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import type { Channels } from './channels.js';
import { createEgressAgent } from './egress-agent.js';
import { createSmtpMailer, type Mailer } from '../../../platform/mail/mailer.js';
import { createTwilioProvider, noSmsProvider, type TwilioAccount } from './sms-provider.js';

/** What the operator configures of the channels. */
export interface ChannelSettings {
  smtpUrl: string | null;
  mailFrom: string;
  twilio: TwilioAccount | null;
  webhookAllowCidrs: readonly string[];
}

/** Creates the channels that the operator configured. */
export function createChannels(deps: {
  settings: ChannelSettings;
  /** Sends mail where the settings name no mail server. */
  mailerWithoutServer: Mailer;
  baseUrl: string;
  /** The deadline of one attempt over HTTP, ms; default 10 s. */
  tryMs?: number;
}): Channels {
  const { settings, mailerWithoutServer, baseUrl, tryMs } = deps;
  const { smtpUrl, mailFrom: from, twilio, webhookAllowCidrs } = settings;
  return {
    mailer: smtpUrl === null ? mailerWithoutServer : createSmtpMailer({ smtpUrl, from, baseUrl }),
    // The operator chooses the URL, which may be an internal address: no egress policy applies.
    sms: twilio ? createTwilioProvider(twilio, new Agent({ connections: 8 }), tryMs) : noSmsProvider,
    outbound: createEgressAgent(createEgressPolicy({ allowCidrs: webhookAllowCidrs, ownAddresses })),
    baseUrl,
    ...(tryMs === undefined ? {} : { tryMs }),
  };
}

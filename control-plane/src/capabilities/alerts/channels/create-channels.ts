import type { Logger } from 'pino';
import { Agent } from 'undici';
import { createEgressPolicy } from '@watchpost/shared/egress';
import { ownAddresses } from '@watchpost/shared/own-addresses';
import type { Database } from '../../../platform/db/database.js';
import type { Channels } from './channels.js';
import { createEgressAgent } from './egress-agent.js';
import { createLocalMailer } from './local-mailbox.js';
import { createSmtpMailer, type Mailer, noMailer } from './mailer.js';
import { createTwilioProvider, noSmsProvider, type TwilioAccount } from './send-sms.js';

/** What the operator says of the ways out. */
export interface ChannelSettings {
  smtpUrl: string | null;
  mailFrom: string;
  twilio: TwilioAccount | null;
  webhookAllowCidrs: readonly string[];
  production: boolean;
}

/** The ways out of this installation, as its operator configured them. */
export function createChannels(deps: {
  settings: ChannelSettings;
  db: Database;
  logger: Logger;
  baseUrl: string;
  issueEvidenceLink: Channels['issueEvidenceLink'];
  /** Longest that one try over HTTP may take, ms; default 10 s. */
  tryMs?: number;
}): Channels {
  const { settings, baseUrl, issueEvidenceLink, tryMs } = deps;
  const { twilio, webhookAllowCidrs } = settings;
  return {
    mailer: createMailer(deps),
    // The operator's own choice, which may well be an address inside.
    sms: twilio ? createTwilioProvider(twilio, new Agent({ connections: 8 }), tryMs) : noSmsProvider,
    outbound: createEgressAgent(createEgressPolicy({ allowCidrs: webhookAllowCidrs, ownAddresses })),
    baseUrl,
    issueEvidenceLink,
    ...(tryMs === undefined ? {} : { tryMs }),
  };
}

function createMailer(deps: { settings: ChannelSettings; db: Database; logger: Logger; baseUrl: string }): Mailer {
  const { smtpUrl, mailFrom, production } = deps.settings;
  if (smtpUrl !== null) return createSmtpMailer({ smtpUrl, from: mailFrom, baseUrl: deps.baseUrl });
  return production ? noMailer : createLocalMailer(deps);
}

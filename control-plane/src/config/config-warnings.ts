import { isLoopbackHost } from '@watchpost/shared/loopback';
import { baseUrlOf, type Config } from './config.js';

/** What is left out and starts all the same, and would be found out on the day on which it is needed. */
export function configWarnings(config: Config): string[] {
  // With the embedded provider somebody is trying things out: there is a local mailbox, and nobody elsewhere.
  if (config.oidc === null) return [];
  const warnings: string[] = [];
  if (config.smtpUrl === null) warnings.push('SMTP_URL is not set: nobody hears anything by mail.');
  if (config.oidc.consoleClient === null)
    warnings.push('OIDC_CONSOLE_CLIENT_ID is not set: nobody can sign in to the console.');
  if (config.baseUrl === null && !isLoopbackHost(config.host)) {
    warnings.push(`BASE_URL is not set: links in messages and pages lead to ${baseUrlOf(config, config.port)}.`);
  }
  return warnings;
}

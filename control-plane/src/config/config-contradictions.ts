import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { ConfigVariables } from './config-variables.js';

/** Faults that no variable has alone. */
export function configContradictions(values: ConfigVariables): string[] {
  const faults: string[] = [];
  if ((values.OIDC_ISSUER === undefined) !== (values.OIDC_AUDIENCE === undefined)) {
    faults.push('OIDC_ISSUER and OIDC_AUDIENCE belong together: set both, or neither for the embedded provider.');
  }
  if (values.OIDC_CONSOLE_CLIENT_ID !== undefined && values.OIDC_ISSUER === undefined) {
    faults.push('OIDC_CONSOLE_CLIENT_ID is of a provider of your own: set OIDC_ISSUER and OIDC_AUDIENCE too.');
  }
  if (
    (values.OIDC_CONSOLE_CLIENT_SECRET !== undefined || values.OIDC_CONSOLE_SCOPES.length > 0) &&
    values.OIDC_CONSOLE_CLIENT_ID === undefined
  ) {
    faults.push('OIDC_CONSOLE_CLIENT_SECRET and OIDC_CONSOLE_SCOPES belong to OIDC_CONSOLE_CLIENT_ID: set that too.');
  }
  if (!values.RUN_MIGRATIONS && values.DATABASE_URL === undefined) {
    faults.push('RUN_MIGRATIONS=0 belongs to DATABASE_URL: nobody else upgrades the embedded database.');
  }
  if (values.OIDC_ISSUER?.startsWith('http:') && !isLoopbackHost(new URL(values.OIDC_ISSUER).hostname)) {
    faults.push('OIDC_ISSUER has http://, which is accepted on loopback only: use https://.');
  }
  if ((values.GRPC_TLS_CERT_FILE === undefined) !== (values.GRPC_TLS_KEY_FILE === undefined)) {
    faults.push('GRPC_TLS_CERT_FILE and GRPC_TLS_KEY_FILE belong together: set both, or neither.');
  }
  if (values.GRPC_TLS_CERT_FILE !== undefined && values.GRPC_TLS_HOSTS.length > 0) {
    faults.push(
      'GRPC_TLS_HOSTS asks for a certificate of our own authority, and GRPC_TLS_CERT_FILE names another one: set one of them.',
    );
  }
  const twilio = [values.TWILIO_ACCOUNT_SID, values.TWILIO_AUTH_TOKEN, values.TWILIO_FROM];
  if (twilio.some((value) => value === undefined) && twilio.some((value) => value !== undefined)) {
    faults.push('TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM belong together: set all three, or none.');
  }
  if (values.SMTP_URL !== undefined && values.MAIL_FROM === undefined && values.BASE_URL === undefined) {
    faults.push(
      'MAIL_FROM is not set, nor is BASE_URL, whose host would be that of the sender: with SMTP_URL set one of them, like MAIL_FROM="Watchpost <alerts@example.com>".',
    );
  }
  // It issues tokens to every caller, so only this machine may reach it.
  if (values.OIDC_ISSUER === undefined && values.NODE_ENV !== 'production') {
    if (values.HOST !== undefined && !isLoopbackHost(values.HOST)) {
      faults.push(
        `HOST is ${JSON.stringify(values.HOST)}, and the embedded provider listens on loopback only: set HOST=127.0.0.1, or OIDC_ISSUER and OIDC_AUDIENCE of a provider of your own.`,
      );
    }
    if (values.BASE_URL !== undefined && !isLoopbackHost(new URL(values.BASE_URL).hostname)) {
      faults.push(
        `BASE_URL is ${JSON.stringify(values.BASE_URL)}, and the embedded provider is reached on loopback only: set OIDC_ISSUER and OIDC_AUDIENCE of a provider of your own.`,
      );
    }
  }
  if (values.NODE_ENV === 'production') {
    if (values.OIDC_ISSUER === undefined) {
      faults.push(
        'OIDC_ISSUER is not set: the embedded provider is for trying things out and does not run with NODE_ENV=production.',
      );
    }
    if (values.ENCRYPTION_KEY === undefined) {
      faults.push(
        'ENCRYPTION_KEY is not set: it takes 32 bytes as base64 or hex, for example from `openssl rand -base64 32`.',
      );
    }
  }
  return faults;
}

import { isLoopbackHost } from '@watchpost/shared/loopback';
import type { ConfigVariables } from './config-variables.js';

/** Faults that no variable has alone. */
export function configContradictions(values: ConfigVariables): string[] {
  const faults: string[] = [];
  if ((values.OIDC_ISSUER === undefined) !== (values.OIDC_AUDIENCE === undefined)) {
    faults.push('OIDC_ISSUER and OIDC_AUDIENCE belong together: set both, or neither for the embedded provider.');
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
  if (values.SMTP_URL !== undefined && values.MAIL_FROM === undefined) {
    faults.push(
      'MAIL_FROM is not set: with SMTP_URL it takes the sender of mail, like "Watchpost <alerts@example.com>".',
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

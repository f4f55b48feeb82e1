import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import { startPeriodicTask } from '../jobs/periodic-task.js';
import type { Certificates, ServerCertificate } from './certificates.js';

/** The source of the gRPC port's certificate: PEM files, or the own authority, which issues it for these names. */
export type ServerIdentitySource = { certFile: string; keyFile: string } | { hosts: readonly string[] };

export interface ServerIdentityOptions {
  source: ServerIdentitySource;
  certificates: Certificates;
  clock: Clock;
  logger: Logger;
  /** How often the files are read again, or the own certificate is checked for renewal. */
  lookMs?: number;
  /** Called with a new certificate, which new connections must be shown. */
  onChange(identity: ServerCertificate): void;
}

export interface ServerIdentity {
  readonly first: ServerCertificate;
  /** When the presented certificate expires, ms since the epoch. */
  expiresMs(): number;
  stop(): Promise<void>;
}

const LOOK_MS = 60_000;

/**
 * Renews the server's certificate without a restart.
 * @throws Error if the files cannot be read, or certificate and key do not match
 */
export async function keepServerIdentity(options: ServerIdentityOptions): Promise<ServerIdentity> {
  const { source, certificates, clock, logger } = options;
  const obtain = () => ('hosts' in source ? certificates.issueServerCertificate(source.hosts) : readFiles(source));
  const first = await obtain();
  let current = first;
  let obtainedMs = clock.now();
  let edition = certificates.edition;
  const isDue = () =>
    !('hosts' in source) ||
    certificates.edition !== edition ||
    clock.now() > obtainedMs + ((current.expiresMs - obtainedMs) * 2) / 3;
  const look = async () => {
    try {
      await certificates.refresh();
    } catch (error) {
      logger.warn({ err: error }, 'the certificate authorities could not be read; trying again');
    }
    if (!isDue()) return;
    try {
      const due = certificates.edition;
      const fresh = await obtain();
      if (due === edition && fresh.certificate === current.certificate && fresh.key === current.key) return;
      options.onChange(fresh);
      current = fresh;
      edition = due;
      obtainedMs = clock.now();
      logger.info({ expires: new Date(fresh.expiresMs).toISOString() }, 'the gRPC port has a new certificate');
    } catch (error) {
      // The files are often replaced one after the other. The former certificate is used until both match.
      logger.warn({ err: error }, 'the new certificate of the gRPC port cannot be used; the former one stays in use');
    }
  };
  const everyMs = options.lookMs ?? LOOK_MS;
  const task = { name: 'renew_server_certificate', everyMs, initialDelayMs: everyMs, run: look };
  const { stop } = startPeriodicTask(task, { logger });
  return { first, expiresMs: () => current.expiresMs, stop };
}

async function readFiles({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<ServerCertificate> {
  const [certificate, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  // Throws if one of them is not PEM, or the key belongs to another certificate.
  createSecureContext({ cert: certificate, key });
  return { certificate, key, expiresMs: Date.parse(new X509Certificate(certificate).validTo) };
}

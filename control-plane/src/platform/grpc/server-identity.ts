import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@watchpost/shared/clock';
import type { Logger } from 'pino';
import { startPeriodicTask } from '../jobs/periodic-task.js';
import type { CertificateGateway, ServerCertificate } from './certificate-gateway.js';

/** Where the certificate of the gRPC port comes from: PEM files, or our own authority, for these names and addresses. */
export type ServerIdentitySource = { certFile: string; keyFile: string } | { hosts: readonly string[] };

export interface ServerIdentityOptions {
  source: ServerIdentitySource;
  certificates: CertificateGateway;
  clock: Clock;
  logger: Logger;
  /** How often files are read again, and our own certificate's age is looked at. */
  lookMs?: number;
  /** A new certificate is to be presented from now on. */
  onChange(identity: ServerCertificate): void;
}

export interface ServerIdentity {
  readonly first: ServerCertificate;
  /** ms since the epoch, of the certificate that is presented. */
  expiresMs(): number;
  stop(): Promise<void>;
}

const LOOK_MS = 60_000;

/**
 * Keeps the server's certificate fresh without a restart.
 * @throws Error where the files cannot be read, or do not belong together
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
      logger.warn({ err: error }, 'which authorities there are cannot be read now');
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
      // Files are often replaced one after the other: the certificate of before stays until they agree.
      logger.warn({ err: error }, 'the new certificate of the gRPC port cannot be used; the one of before stays');
    }
  };
  const everyMs = options.lookMs ?? LOOK_MS;
  const task = { name: 'renew_server_certificate', everyMs, initialDelayMs: everyMs, run: look };
  const { stop } = startPeriodicTask(task, { logger });
  return { first, expiresMs: () => current.expiresMs, stop };
}

async function readFiles({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<ServerCertificate> {
  const [certificate, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
  // Throws where one of them is no PEM, or the key is another certificate's.
  createSecureContext({ cert: certificate, key });
  return { certificate, key, expiresMs: Date.parse(new X509Certificate(certificate).validTo) };
}

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAuthority } from '../../support/certificates.js';
import { eventually } from '../../support/eventually.js';
import { startProcess } from '../../support/managed-process.js';
import type { PlannedOutage } from '../draw/draw-outages.js';
import type { TargetPorts, TargetRequest } from './soak-target.js';

const TARGET = fileURLToPath(new URL('./soak-target.js', import.meta.url));

export interface Targets {
  ports: TargetPorts;
  /** The authority of its certificate, as PEM. */
  rootFile: string;
  /** Lets exactly these targets fail. */
  setOutages(outages: readonly PlannedOutage[]): Promise<void>;
  /** All requests until now. */
  seen(): Promise<TargetRequest[]>;
  stop(): void;
}

export async function startTargets(folder: string): Promise<Targets> {
  const authority = await createAuthority();
  const { key, cert } = await authority.issue();
  const [keyFile, certFile, rootFile] = ['target.key', 'target.pem', 'root.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all([writeFile(keyFile, key), writeFile(certFile, cert), writeFile(rootFile, authority.rootPem)]);
  const target = startProcess({ args: [TARGET, keyFile, certFile], env: {}, logFile: join(folder, 'target.log') });
  const line = await eventually('the targets are ready', () => /^\{.*\}$/m.exec(target.output())?.[0], 120_000, 20);
  const ports = JSON.parse(line) as TargetPorts;
  const control = (path: string, init: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${ports.http}/control/${path}`, init);
  return {
    ports,
    rootFile,
    async setOutages(outages) {
      const body = JSON.stringify(outages.map(({ subject, mode }) => [subject, mode]));
      await control('outages', { method: 'POST', body });
    },
    seen: async () => (await (await control('seen')).json()) as TargetRequest[],
    stop: () => target.kill('SIGKILL'),
  };
}

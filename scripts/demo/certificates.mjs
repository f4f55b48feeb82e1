import { X509Certificate } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAuthority } from '../../test/dist/support/certificates.js';

const DAY_MS = 86_400_000;
const PEM = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g;

/** The hosts with certificates of their own: their names, and the days since the first and until the last of their dates. */
const HOSTS = {
  // It ends soon: that warns, and is no incident yet.
  'checkout.acme.example': { names: ['checkout.acme.example'], days: [80.5, 9.5] },
  'vpn.acme.example': { names: ['vpn.acme.example'], days: [92.5, -2.5] },
  // The provider of the blog does not have its name.
  'blog.acme.example': { names: ['sites.provider.example'], days: [30, 60.5] },
};
const EVERY_OTHER = { names: ['acme.example', '*.acme.example'], days: [29, 61.5] };

/**
 * The certificates of Acme's sites, of an authority that only the agents of the demo trust. Those of a former run are used
 * for a day: the dates of the demo are always the same number of days away.
 * @returns `rootsFile` for the agents, `of(host)`: its key and what it presents, `chainOf(host)`: this and the root, as agents see it
 */
export async function readOrMakeCertificates(dataDir) {
  const file = join(dataDir, 'certificates.json');
  const former = JSON.parse(await readFile(file, 'utf8').catch(() => 'null'));
  const isNew = former === null || Date.now() > former.madeAtMs + DAY_MS;
  const made = isNew ? await make(Date.now()) : former;
  const rootsFile = join(dataDir, 'authorities.pem');
  if (isNew) {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(file, JSON.stringify(made), { mode: 0o600 });
  }
  const own = process.env.NODE_EXTRA_CA_CERTS;
  await writeFile(rootsFile, own ? `${await readFile(own, 'utf8')}\n${made.rootPem}` : made.rootPem);
  const of = (host) => made.byHost[host] ?? made.everyOther;
  const chainOf = (host) => [...of(host).cert.match(PEM), made.rootPem].map((pem) => new X509Certificate(pem));
  return { rootsFile, of, chainOf };
}

async function make(nowMs) {
  const authority = await createAuthority('Acme Trust');
  const issue = ({ names, days: [since, left] }) =>
    authority.issue({
      names,
      notBefore: new Date(nowMs - since * DAY_MS),
      notAfter: new Date(nowMs + left * DAY_MS),
    });
  const byHost = {};
  for (const [host, options] of Object.entries(HOSTS)) byHost[host] = await issue(options);
  return { madeAtMs: nowMs, rootPem: authority.rootPem, byHost, everyOther: await issue(EVERY_OTHER) };
}

import { firstOf } from './format.js';
import { Time } from './marks.js';
import { Facts } from './section.js';

interface Registration {
  domain: string;
  expiresAt: string | null;
  registrar: string | null;
  statuses: string[];
  nameServers: string[];
}

export function DomainFacts({ of, look }: { of: Registration; look: string }) {
  const { domain, expiresAt, registrar, statuses, nameServers } = of;
  return (
    <Facts
      look={look}
      facts={[
        ['Domain', domain],
        expiresAt !== null && ['Expires', <Time key="expires" at={expiresAt} as="moment" />],
        ['Registrar', registrar],
        ['Status', statuses.length > 0 && firstOf(statuses, 5)],
        ['Name servers', nameServers.length > 0 && firstOf(nameServers, 5)],
      ]}
    />
  );
}

/** The RDAP servers of common top-level domains by the bootstrap registry of IANA, for the time before it is read. */
const SERVERS: Readonly<Record<string, string>> = {
  'https://rdap.verisign.com/com/v1/': 'com',
  'https://rdap.verisign.com/net/v1/': 'net',
  'https://rdap.publicinterestregistry.org/rdap/': 'org',
  'https://pubapi.registry.google/rdap/': 'app dev page how new',
  'https://rdap.identitydigital.services/rdap/': 'info live digital systems email network',
  'https://rdap.nominet.uk/uk/': 'uk',
  'https://rdap.nic.fr/': 'fr',
  'https://rdap.sidn.nl/': 'nl',
  'https://rdap.nic.cz/': 'cz',
  'https://rdap.norid.no/': 'no',
  'https://rdap.registro.br/': 'br',
};

export const SHIPPED_SERVERS: ReadonlyMap<string, string> = new Map(
  Object.entries(SERVERS).flatMap(([url, labels]) => labels.split(' ').map((label) => [label, url] as const)),
);

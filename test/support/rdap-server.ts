import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type RdapAnswer = (request: IncomingMessage, response: ServerResponse) => void;

export interface Registration {
  expires?: string | readonly string[];
  status?: readonly unknown[];
  registrar?: string;
  nameservers?: readonly string[];
}

export interface RdapServer {
  baseUrl: string;
  bootstrapUrl: string;
  /** By domain. What is not here is not found. */
  readonly answers: Map<string, RdapAnswer>;
  /** The domains that were asked for, in their order. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Answers as the registry of a domain does. */
export function registration(name: string, given: Registration = {}): RdapAnswer {
  const { expires = '2027-11-21T12:00:00Z', status = ['active'], registrar = 'Example Registrar' } = given;
  const body = {
    rdapConformance: ['rdap_level_0'],
    objectClassName: 'domain',
    ldhName: name.toUpperCase(),
    status,
    events: [
      { eventAction: 'registration', eventDate: '1999-01-01T00:00:00Z' },
      { eventAction: 'registrar expiration', eventDate: '2000-01-01T00:00:00Z' },
      ...[expires].flat().map((eventDate) => ({ eventAction: 'expiration', eventDate })),
    ],
    nameservers: (given.nameservers ?? ['NS1.EXAMPLE.NET.']).map((ldhName) => ({
      objectClassName: 'nameserver',
      ldhName,
    })),
    entities: [
      { objectClassName: 'entity', roles: ['abuse'], handle: 'other' },
      {
        objectClassName: 'entity',
        roles: ['registrar'],
        handle: '1',
        vcardArray: [
          'vcard',
          [
            ['version', {}, 'text', '4.0'],
            ['fn', {}, 'text', registrar],
          ],
        ],
      },
    ],
  };
  return sends(200, JSON.stringify(body));
}

export function sends(status: number, body: string, headers: Record<string, string> = {}): RdapAnswer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/rdap+json', ...headers });
    response.end(body);
  };
}

/** An RDAP server on the loopback address, and the bootstrap registry that names it for these top-level domains. */
export async function startRdapServer(labels: readonly string[]): Promise<RdapServer> {
  const answers = new Map<string, RdapAnswer>();
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/dns.json') {
      const services = [[labels, [`http://127.0.0.1:${port()}/rdap/`]]];
      sends(200, JSON.stringify({ version: '1.0', services }))(request, response);
      return;
    }
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (path.startsWith('/rdap/')) asked.push(name);
    (answers.get(name) ?? sends(404, '{"errorCode":404}'))(request, response);
  });
  const port = () => (server.address() as AddressInfo).port;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${port()}`,
    bootstrapUrl: `http://127.0.0.1:${port()}/dns.json`,
    answers,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

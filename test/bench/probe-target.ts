import { createServer } from 'node:http';
import { createSecureServer as createHttp2Server } from 'node:http2';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createAuthority } from '../support/certificates.js';

/** The address and the certificate of the target, for the measuring processes. */
export interface TargetPlaces {
  http: string;
  https: string;
  /** Over TLS, HTTP/2 and HTTP/1.1. */
  http2: string;
  /** The same target under many addresses, as if it were many sites. */
  httpSites: readonly string[];
  httpsSites: readonly string[];
  rootPem: string;
}

/** The target of the probe bench, a separate process: a document of 1 KB over HTTP and HTTPS. */
/** Every address of 127.0.0.0/8 is this machine (Linux). */
const HOSTS = 20;
const authority = await createAuthority();
const page = 'x'.repeat(1_000);
const serve = (
  _request: unknown,
  response: { setHeader(name: string, value: string): unknown; end(body: string): unknown },
): void => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(page);
};
const plain = createServer(serve);
const hosts = Array.from({ length: HOSTS }, (_, index) => `127.0.0.${index + 1}`);
const certificate = await authority.issue({ names: ['localhost', ...hosts] });
const secure = createSecureServer(certificate, serve);
const both = createHttp2Server({ ...certificate, allowHTTP1: true }, serve);
await Promise.all(
  [plain, secure, both].map((server) => new Promise<void>((resolve) => server.listen(0, '0.0.0.0', () => resolve()))),
);
const portOf = (server: typeof plain | typeof secure | typeof both): number => (server.address() as AddressInfo).port;
const [httpPort, httpsPort] = [portOf(plain), portOf(secure)];
const places: TargetPlaces = {
  http: `http://127.0.0.1:${httpPort}/`,
  https: `https://127.0.0.1:${httpsPort}/`,
  http2: `https://127.0.0.1:${portOf(both)}/`,
  httpSites: hosts.map((host) => `http://${host}:${httpPort}/`),
  httpsSites: hosts.map((host) => `https://${host}:${httpsPort}/`),
  rootPem: authority.rootPem,
};
process.send!(places);
process.once('disconnect', () => process.exit());

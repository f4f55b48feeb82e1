import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKeyPair, exportJWK } from 'jose';
import Provider from 'oidc-provider';

/** Of the client that the console is at this provider. */
export const FOREIGN_CLIENT = { id: 'status-console', secret: 'a secret: +/% of the provider' };
const PATH = '/realms/acme';

/** An OpenID provider of another maker, in its own process as far as a browser can see: another host, port and set of keys. */
export interface ForeignProvider {
  /** It has a path. */
  readonly issuer: string;
  /** The paths of the requests so far, below the issuer. */
  readonly requests: string[];
  /** Registers the console, whose address is known only once it runs; until then the provider answers 503. */
  register(consoleUrl: string): void;
  stop(): Promise<void>;
}

/**
 * Starts `oidc-provider` with settings that differ from those of the embedded one: a client with a secret, PKCE not required,
 * opaque access tokens, refresh tokens that rotate, claims at userinfo only, and the library's own pages.
 */
export async function startForeignProvider(): Promise<ForeignProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const signingKey = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'foreign' };
  const requests: string[] = [];
  let answer: ReturnType<Provider['callback']> | undefined;
  const server = createServer((request, response) => {
    if (!request.url!.startsWith(PATH)) return void response.writeHead(204).end();
    if (answer === undefined) return void response.writeHead(503).end();
    // As a framework that mounts the library below a path does it.
    Object.assign(request, { originalUrl: request.url });
    request.url = request.url!.slice(PATH.length);
    requests.push(request.url.split('?')[0]!);
    void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}${PATH}`;
  return {
    issuer,
    requests,
    register(consoleUrl) {
      const provider = new Provider(issuer, {
        clients: [
          {
            client_id: FOREIGN_CLIENT.id,
            client_secret: FOREIGN_CLIENT.secret,
            redirect_uris: [`${consoleUrl}/console/callback`],
            post_logout_redirect_uris: [`${consoleUrl}/console`],
            grant_types: ['authorization_code', 'refresh_token'],
            token_endpoint_auth_method: 'client_secret_basic',
          },
        ],
        jwks: { keys: [signingKey] },
        cookies: { keys: ['a key of the cookies of the provider'] },
        pkce: { required: () => false },
        rotateRefreshToken: true,
        issueRefreshToken: () => Promise.resolve(true),
        claims: { email: ['email', 'email_verified'], profile: ['name'] },
        findAccount: (_ctx, sub) => ({
          accountId: sub,
          claims: () => ({ sub, email: `${sub}@acme.example`, email_verified: true, name: `${sub} of Acme` }),
        }),
        // Named, as the library warns of what is left to its defaults.
        ttl: { Interaction: 600, Session: 3_600, Grant: 3_600, AccessToken: 600, RefreshToken: 3_600, IdToken: 600 },
        features: {
          devInteractions: { enabled: true },
          rpInitiatedLogout: {
            enabled: true,
            logoutSource(ctx, form) {
              const confirm =
                '<button type="submit" form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
              ctx.body = `<!DOCTYPE html><title>Sign out</title>${form}${confirm}`;
            },
          },
        },
      });
      answer = provider.callback();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

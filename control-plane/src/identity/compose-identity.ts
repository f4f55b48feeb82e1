import type { Clock } from '@watchpost/shared/clock';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import type { Registry } from 'prom-client';
import type { Database } from '../db/database.js';
import type { SecretBox } from '../db/secret-box.js';
import type { EmbeddedProvider } from './embedded-provider/embedded-provider.js';
import { createTokenVerifier, type TokenVerifier } from './token-verifier.js';

export interface IdentityOptions {
  config: { oidc: { issuer: string; audience: string } | null; host: string; production: boolean };
  db: Database;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  secretBox: SecretBox;
  baseUrl: string;
}

export interface Identity {
  issuer: string;
  verifier: TokenVerifier;
  /** The embedded provider's pages and endpoints. */
  middleware: Middleware | null;
  demo: EmbeddedProvider['demo'] | null;
  describe(): string[];
  stop(): void;
}

/** Verifies the tokens of the configured provider, or of the embedded one, which is loaded only then. */
export async function composeIdentity(options: IdentityOptions): Promise<Identity> {
  const { config, clock, logger, registry } = options;
  if (config.oidc) {
    const { issuer, audience } = config.oidc;
    const verifier = createTokenVerifier({ issuer, audience, clock, logger, registry });
    return { issuer, verifier, middleware: null, demo: null, describe: () => [`Sign in with tokens of ${issuer}`], stop: () => {} };
  }
  const { createEmbeddedProvider } = await import('./embedded-provider/embedded-provider.js');
  const { db, secretBox, baseUrl } = options;
  const provider = await createEmbeddedProvider({ db, clock, logger, secretBox, baseUrl, host: config.host, production: config.production });
  const { issuer, audience, keys, principalIssuer } = provider;
  return {
    issuer,
    verifier: createTokenVerifier({ issuer, audience, keys, principalIssuer, clock, logger, registry }),
    middleware: provider.middleware,
    demo: provider.demo,
    describe: () => provider.describe(),
    stop: () => provider.stop(),
  };
}

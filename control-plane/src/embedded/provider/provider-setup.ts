import { randomBytes, randomInt } from 'node:crypto';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import { z } from 'zod';
import type { Clock } from '@watchpost/shared/clock';
import { Fault } from '@watchpost/shared/fault';
import { newId } from '@watchpost/shared/id';
import type { Database } from '../../platform/db/database.js';
import type { SealedColumn } from '../../platform/db/sealed-column.js';
import type { SecretBox } from '../../platform/db/secret-box.js';
import { hashPassword } from './password-hash.js';
import { providerAccountStore, providerSetupStore } from './provider-store.js';

export const DEMO_EMAIL = 'demo@watchpost.example';
export const DEMO_NAME = 'Demo';
/** `client_credentials`, for curl and CI. */
export const DEMO_CLIENT_ID = 'watchpost-demo';
export const DEMO_CLIENT_NAME = 'Demo machine client';
/** Public, for command-line programs by device code. */
export const DEVICE_CLIENT_ID = 'watchpost-cli';
/** Public with PKCE: the console of this very installation. */
export const CONSOLE_CLIENT_ID = 'watchpost-console';
/** Below the issuer: where the console is sent back to after a sign-in, and after a sign-out. */
export const CONSOLE_PATHS = { callback: '/console/callback', signedOut: '/console' } as const;

/** Under which the embedded provider's principals are filed: its issuer moves with the port, its users do not. */
export const EMBEDDED_PRINCIPAL_ISSUER = 'urn:watchpost:embedded-provider';

/** What the sealed secrets belong to. */
const SEAL_CONTEXT = 'provider_setup';
export const SEALED_PROVIDER_SECRETS: SealedColumn = {
  table: 'provider_setup',
  column: 'secrets',
  reads: [],
  context: () => SEAL_CONTEXT,
};

const secretsSchema = z.object({
  /** Private key, ES256 */
  signingKey: z.looseObject({ kid: z.string() }),
  cookieKey: z.string(),
  formKey: z.string(),
  clientSecret: z.string(),
  accountId: z.string(),
  password: z.string(),
});

/** What the provider made at its first start; the demo's credentials are kept so that they can be shown again. */
export type ProviderSecrets = Omit<z.output<typeof secretsSchema>, 'signingKey'> & {
  signingKey: JWK & { kid: string };
};

export interface ProviderSetup {
  secrets: ProviderSecrets;
  issuer: string;
  audience: string;
}

export interface SetupDeps {
  db: Database;
  secretBox: SecretBox;
  clock: Clock;
}

/** Loads what the first start made, or makes it; of processes that start at once, one makes it. */
export async function ensureProviderSetup(
  deps: SetupDeps,
  address: { issuer: string; audience: string },
): Promise<ProviderSetup> {
  const existing = await readProviderSetup(deps);
  if (existing) {
    await deps.db.read((tx) => providerSetupStore.noteAddress(tx, address.issuer, address.audience));
    return { ...existing, ...address };
  }
  const secrets = await generateSecrets(deps.clock);
  const account = {
    id: secrets.accountId,
    email: DEMO_EMAIL,
    name: DEMO_NAME,
    passwordHash: await hashPassword(secrets.password),
  };
  const sealed = deps.secretBox.seal(JSON.stringify(secrets), SEAL_CONTEXT);
  await deps.db.transaction(async (tx) => {
    if (await providerSetupStore.insert(tx, { secrets: sealed, ...address }, deps.clock.now())) {
      await providerAccountStore.insert(tx, account, deps.clock.now());
    }
  });
  return (await readProviderSetup(deps))!;
}

/**
 * @returns null before the first start
 * @throws Fault `unavailable` where the encryption key is not the one of the first start
 */
export async function readProviderSetup({ db, secretBox }: SetupDeps): Promise<ProviderSetup | null> {
  const row = await db.read((tx) => providerSetupStore.find(tx));
  if (!row) return null;
  let plain: string;
  try {
    plain = secretBox.open(row.secrets, SEAL_CONTEXT).toString('utf8');
  } catch {
    throw new Fault(
      'unavailable',
      'The keys of the embedded OpenID provider cannot be decrypted: ENCRYPTION_KEY (or the key file under DATA_DIR) is not the one of the first start.',
    );
  }
  const secrets = secretsSchema.parse(JSON.parse(plain)) as ProviderSecrets;
  return { secrets, issuer: row.issuer, audience: row.audience };
}

async function generateSecrets(clock: Clock): Promise<ProviderSecrets> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = randomBytes(8).toString('hex');
  return {
    signingKey: { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' },
    cookieKey: randomBytes(32).toString('base64url'),
    formKey: randomBytes(32).toString('base64url'),
    clientSecret: randomBytes(32).toString('hex'),
    accountId: newId(clock.now()),
    password: generatePassword(),
  };
}

/** Four groups of four characters that cannot be mistaken for each other: 79 bits, typed without trouble. */
function generatePassword(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  const group = (): string => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return [group(), group(), group(), group()].join('-');
}

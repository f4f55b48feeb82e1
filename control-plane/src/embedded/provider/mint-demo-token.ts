import { randomUUID } from 'node:crypto';
import { importJWK, SignJWT } from 'jose';
import { Fault } from '@watchpost/shared/fault';
import { SCOPES } from '../../platform/http/scopes.js';
import { DEMO_EMAIL, DEMO_NAME, DEVICE_CLIENT_ID, readProviderSetup, type SetupDeps } from './provider-setup.js';

/** Longer than one from the token endpoint: it is pasted into a terminal and used for a while. */
const LIFETIME_SECONDS = 12 * 3600;

/**
 * A fresh access token of the demo account with every scope, as if it had come from the token endpoint of
 * the embedded provider that last ran on this database.
 * @throws Fault `not_found` before the first start
 */
export async function mintDemoToken(deps: SetupDeps): Promise<string> {
  const setup = await readProviderSetup(deps);
  if (!setup)
    throw new Fault(
      'not_found',
      'There is no demo account yet: it is made by the first `npm start` without OIDC_ISSUER.',
    );
  const { signingKey, accountId } = setup.secrets;
  const now = Math.floor(deps.clock.now() / 1000);
  const claims = {
    client_id: DEVICE_CLIENT_ID,
    scope: Object.keys(SCOPES).join(' '),
    email: DEMO_EMAIL,
    email_verified: true,
    name: DEMO_NAME,
  };
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', kid: signingKey.kid, typ: 'at+jwt' })
    .setIssuer(setup.issuer)
    .setAudience(setup.audience)
    .setSubject(accountId)
    .setJti(randomUUID())
    .setIssuedAt(now)
    .setExpirationTime(now + LIFETIME_SECONDS)
    .sign(await importJWK(signingKey, 'ES256'));
}

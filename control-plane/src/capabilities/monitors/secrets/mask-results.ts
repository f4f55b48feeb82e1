import { type CheckResult, isHealthy } from '@watchpost/shared/outcome';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { createSecretMask } from '@watchpost/shared/secrets/secret-mask';
import type { Transactions } from '../../../platform/db/database.js';
import { SecretBoxError, type SecretBox } from '../../../platform/db/secret-box.js';
import { openSecrets } from '../settings/monitor-secrets.js';
import { FIELDS_WITH_SECRETS } from '../settings/secret-places.js';
import { sealedSecretsStore, type SealedSecretsRow } from './sealed-secrets-store.js';

export interface MaskDeps {
  db: Transactions;
  secretBox: SecretBox;
}

type Masker = (result: CheckResult) => CheckResult;

/**
 * Masks secrets in results of scheduled checks before they are stored. Agents already mask secrets that a site echoes, but
 * agents are not trusted with that. Only checks that send headers and are not up cost time.
 */
export async function maskResults(deps: MaskDeps, results: readonly CheckResult[]): Promise<readonly CheckResult[]> {
  const keys = new Set(results.filter(mayReflect).map(({ key }) => key.monitorKey));
  if (keys.size === 0) return results;
  const rows = await deps.db.read((tx) => sealedSecretsStore.find(tx, [...keys]));
  const maskers = new Map(rows.map((row) => [row.monitorKey, createMasker(deps.secretBox, row)]));
  return results.map((result) =>
    mayReflect(result) ? (maskers.get(result.key.monitorKey)?.(result) ?? result) : result,
  );
}

/** Steps that change no verdict can fail in a healthy check. */
function mayReflect({ key, outcome, steps }: CheckResult): boolean {
  const hasText = !isHealthy(outcome) || steps?.some(({ message }) => message !== null) === true;
  return hasText && FIELDS_WITH_SECRETS.has(key.kind) && Number.isSafeInteger(key.monitorKey);
}

function createMasker(box: SecretBox, { id, sealedSecrets }: SealedSecretsRow): Masker {
  try {
    const headers = Object.values(openSecrets(box, id, sealedSecrets)).flatMap((values) =>
      Object.entries(values).map(([name, value]) => ({ name, value })),
    );
    const mask = createSecretMask(headers);
    return mask ? (result) => maskReport(result, mask) : (result) => result;
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    // Secrets that cannot be decrypted cannot be searched for.
    return (result) => ({ ...result, evidence: null });
  }
}

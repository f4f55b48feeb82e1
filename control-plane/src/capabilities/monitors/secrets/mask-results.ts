import type { CheckResult } from '@watchpost/shared/outcome';
import { maskReport } from '@watchpost/shared/secrets/mask-report';
import { createSecretMask } from '@watchpost/shared/secrets/secret-mask';
import type { Database } from '../../../platform/db/database.js';
import { SecretBoxError, type SecretBox } from '../../../platform/db/secret-box.js';
import { joinHeaders } from '../settings/http-headers.js';
import { openSecrets } from '../settings/monitor-secrets.js';
import { probeHeaderStore, type ProbeHeaderRow } from './probe-header-store.js';

export interface MaskDeps {
  db: Database;
  secretBox: SecretBox;
}

type Masker = (result: CheckResult) => CheckResult;

/**
 * Results of scheduled checks as they may be stored. Agents mask what a site repeats of the secrets that it was sent; no
 * agent is believed to. Only HTTP checks that are not up cost anything.
 */
export async function maskResults(deps: MaskDeps, results: readonly CheckResult[]): Promise<readonly CheckResult[]> {
  const keys = new Set(results.filter(mayReflect).map(({ key }) => key.monitorKey));
  if (keys.size === 0) return results;
  const rows = await deps.db.read((tx) => probeHeaderStore.find(tx, [...keys]));
  const maskers = new Map(rows.map((row) => [row.monitorKey, createMasker(deps.secretBox, row)]));
  return results.map((result) =>
    mayReflect(result) ? (maskers.get(result.key.monitorKey)?.(result) ?? result) : result,
  );
}

function mayReflect({ key, outcome }: CheckResult): boolean {
  return key.kind === 'http' && outcome.kind !== 'up' && Number.isSafeInteger(key.monitorKey);
}

function createMasker(box: SecretBox, { id, headers, httpSecrets }: ProbeHeaderRow): Masker {
  try {
    const mask = createSecretMask(joinHeaders(headers, openSecrets(box, id, httpSecrets)));
    return mask ? (result) => maskReport(result, mask) : (result) => result;
  } catch (error) {
    if (!(error instanceof SecretBoxError)) throw error;
    // What cannot be read cannot be found either.
    return (result) => ({ ...result, evidence: null });
  }
}

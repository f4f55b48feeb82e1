import type { FailureKey } from '../verdict/evidence-store.js';
import type { SecondOpinion, StoredOpinion } from './second-opinion-store.js';

/** What an incident's `context` says of the confirming runs about these failures; nothing where there were none. */
export function secondOpinionContext(
  keys: readonly FailureKey[],
  opinions: readonly StoredOpinion[],
): { secondOpinions?: SecondOpinion[] } {
  const about = opinions.filter((opinion) =>
    keys.some(
      ({ monitorKey, kind, region }) =>
        monitorKey === opinion.monitorKey && kind === opinion.kind && region === opinion.failedIn,
    ),
  );
  return about.length === 0 ? {} : { secondOpinions: about.map(({ monitorKey: _, kind: __, ...opinion }) => opinion) };
}

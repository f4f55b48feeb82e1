import type { ApiAnswer } from '../../platform/http/route.js';
import type { RevealedGroup } from './action-group.js';

/** The tag stands for the group without the secret, which no later answer has. */
export function answerRevealed({ group, secret }: RevealedGroup): ApiAnswer {
  return secret === null ? { body: group } : { body: { ...group, secret }, resource: group };
}

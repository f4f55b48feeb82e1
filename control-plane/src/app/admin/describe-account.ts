import type { ListedAccount } from './account-list-store.js';

export function day(at: Date): string {
  return at.toISOString().slice(0, 10);
}

export function stateOf({ suspendedAt, trialEnds }: ListedAccount): string {
  return suspendedAt ? `suspended ${day(suspendedAt)}` : trialEnds ? `trial to ${day(trialEnds)}` : 'active';
}

export function emailOf({ email, emailVerified }: ListedAccount): string {
  return `${email ?? '-'}${email !== null && !emailVerified ? ' (not verified)' : ''}`;
}

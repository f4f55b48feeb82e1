import type { Database } from '../../platform/db/database.js';
import { invitationStore } from './invitation-store.js';

/** @returns whether an invitation to any workspace waits for this address */
export function isInvited(db: Database, email: string, nowMs: number): Promise<boolean> {
  return db.read((tx) => invitationStore.isPending(tx, email.toLowerCase(), new Date(nowMs)));
}

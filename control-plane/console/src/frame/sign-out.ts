import { dropAllDrafts } from '../data/drafts.js';
import { toast, toastFault } from './toasts.js';

/** Ends this session, or all of the user's, and leaves for where the provider ends its own. */
export async function signOut(isEverywhere: boolean): Promise<void> {
  try {
    const answer = await fetch(`/console/sign-out${isEverywhere ? '?everywhere' : ''}`, {
      method: 'POST',
      headers: { Accept: 'application/json' },
    });
    if (!answer.ok) return toast('Signing out failed. Try again.');
    const { location: next } = (await answer.json()) as { location: string };
    dropAllDrafts();
    location.assign(next);
  } catch (error) {
    toastFault(error);
  }
}

import { asFault } from '../data/api-fault.js';
import { ask } from './dialog.js';
import { Toggle } from './inputs.js';
import type { FormModel } from './use-form.js';

const UNREACHABLE = 'would_be_unreachable';

/** In a form whose change would leave nobody who can be paged: the switch to save it all the same. */
export function ForceToggle<T>(props: { form: FormModel<T>; isForced: boolean; onForce: (isForced: boolean) => void }) {
  const { form, isForced, onForce } = props;
  if (!isForced && form.fault.value?.code !== UNREACHABLE) return null;
  return <Toggle label="Save it even if nobody can be paged" isOn={isForced} onChange={onForce} />;
}

/**
 * Sends a change that has no form, with `force=false`. Where it would leave nobody who can be paged, the user is asked, and it
 * is sent with `force=true`.
 * @param action the verb of the answer that sends it
 */
export async function sendOrAsk(action: string, send: (query: { force: boolean }) => Promise<unknown>): Promise<void> {
  try {
    await send({ force: false });
  } catch (error) {
    if (asFault(error).code !== UNREACHABLE) throw error;
    ask({
      title: 'Nobody could be paged',
      action,
      consequences: ['Nobody on call of the next 7 days could be paged by any channel.'],
      onConfirm: () => send({ force: true }),
    });
  }
}

import type { DeliveryView } from '@watchpost/control-plane/capabilities/delivery/reading/delivery-schemas';
import { Icon, type IconName } from '../../parts/icon.js';

const LOOKS: Record<DeliveryView['state'], { icon: IconName; look: string; word: string }> = {
  delivered: { icon: 'check', look: 'available', word: 'Delivered' },
  failed: { icon: 'close', look: 'unavailable', word: 'Failed' },
  waiting: { icon: 'clock', look: 'partial', word: 'Waiting' },
  cancelled: { icon: 'pause', look: 'unknown', word: 'Cancelled' },
};

/** The state of a delivery: a mark and a word. */
export function DeliveryState({ state }: { state: DeliveryView['state'] }) {
  const { icon, look, word } = LOOKS[state];
  return (
    <span class={`state state-${look}`}>
      <Icon name={icon} />
      <span class="state-word">{word}</span>
    </span>
  );
}

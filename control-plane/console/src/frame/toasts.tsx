import { signal } from '@preact/signals';
import { asFault } from '../data/api-fault.js';
import { Button, Icon } from '../parts/button.js';

interface Toast {
  id: number;
  text: string;
  isFault: boolean;
  action?: { label: string; run: () => void };
}

const SHOWN_MS = 6_000;
/** Something can be taken back for so long. */
const OFFERED_MS = 10_000;
const toasts = signal<Toast[]>([]);
let lastId = 0;

/** Confirms what was done, for some seconds. */
export function toast(text: string, action?: { label: string; run: () => void }): void {
  const id = add({ text, isFault: false, ...(action && { action }) });
  setTimeout(() => drop(id), action ? OFFERED_MS : SHOWN_MS);
}

/** Shows why something was not done, until it is closed. */
export function toastFault(error: unknown): void {
  add({ text: asFault(error).sentences.join(' '), isFault: true });
}

/** It takes the place of what was confirmed before. The latest fault stays, and what can be taken back. */
function add(content: Omit<Toast, 'id'>): number {
  const id = ++lastId;
  toasts.value = [
    ...toasts.value.filter(({ isFault, action }) => (content.isFault ? !isFault : isFault || action)),
    { id, ...content },
  ];
  return id;
}

function drop(id: number): void {
  toasts.value = toasts.value.filter((each) => each.id !== id);
}

export function Toasts() {
  return (
    <div class="toasts lines gap-2" role="status" aria-live="polite">
      {toasts.value.map(({ id, text, isFault, action }) => (
        <div key={id} class={isFault ? 'toast flex center gap-2 toast-fault' : 'toast flex center gap-2'}>
          <Icon name={isFault ? 'incidents' : 'check'} />
          <span>{text}</span>
          {action && (
            <Button
              text={action.label}
              look="plain"
              onClick={() => {
                drop(id);
                action.run();
              }}
            />
          )}
          <Button look="plain" icon="close" label="Dismiss" onClick={() => drop(id)} />
        </div>
      ))}
    </div>
  );
}

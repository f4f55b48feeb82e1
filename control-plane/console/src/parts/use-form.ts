import { useMemo, useRef } from 'preact/hooks';
import { batch, signal, type Signal } from '@preact/signals';
import { asFault, type ApiFault } from '../data/api-fault.js';
import { mergeEdits } from '../data/compare-edits.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../data/drafts.js';
import { valueAt, withValueAt } from './field-path.js';

export interface FormModel<T> {
  values: Signal<T>;
  fault: Signal<ApiFault | undefined>;
  isBusy: Signal<boolean>;
  /** The values differ from those that it began with. */
  isChanged: () => boolean;
  get: (path: string) => unknown;
  set: (path: string, value: unknown) => void;
  /** Back to these values, and the draft is gone. With what was `sent`: what was typed since stays, with its draft. */
  reset: (values: T, sent?: T) => void;
  submit: () => Promise<void>;
  /** What is called how: the paths that have a field, so that faults of others are shown above. */
  fields: Map<string, string>;
}

interface FormOptions<T> {
  initial: T;
  /** The name under which unsaved values survive a reload and signing in again. */
  draft?: string;
  /** Rejects with an ApiFault, whose details are shown at their fields. */
  onSubmit: (values: T) => Promise<unknown>;
}

/** The values of a form, its faults and its draft. */
export function useForm<T extends object>({ initial, draft, onSubmit }: FormOptions<T>): FormModel<T> {
  const latest = useRef(onSubmit);
  latest.current = onSubmit;
  const key = draft === undefined ? undefined : draftKey(draft);
  return useMemo(() => {
    let base = initial;
    const values = signal<T>(((key === undefined ? undefined : readDraft(key)) as T | undefined) ?? initial);
    const fault = signal<ApiFault | undefined>(undefined);
    const isBusy = signal(false);
    const isChanged = () => JSON.stringify(values.value) !== JSON.stringify(base);
    const put = (next: T) => {
      values.value = next;
      if (key === undefined) return;
      if (isChanged()) keepDraft(key, next);
      else dropDraft(key);
    };
    return {
      values,
      fault,
      isBusy,
      isChanged,
      fields: new Map<string, string>(),
      get: (path) => valueAt(values.value, path),
      set: (path, value) => put(withValueAt(values.peek(), path, value)),
      reset: (next, sent) =>
        batch(() => {
          base = next;
          put(sent === undefined ? next : mergeEdits(sent, values.peek(), next, 'mine'));
          fault.value = undefined;
        }),
      submit: async () => {
        if (isBusy.peek()) return;
        isBusy.value = true;
        fault.value = undefined;
        try {
          const [sent, former] = [values.peek(), base];
          await latest.current(sent);
          // Unless it was reset to what the answer contains.
          if (base === former) base = sent;
          // Drops the draft, unless something was typed meanwhile.
          put(values.peek());
        } catch (error) {
          fault.value = asFault(error);
        } finally {
          isBusy.value = false;
        }
      },
    };
  }, [key]);
}

import { useMemo, useRef, useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { batch, signal, type Signal } from '@preact/signals';
import { asFault, type ApiFault, type FieldFault } from '../data/api-fault.js';
import { mergeEdits, compareEdits, isSame, type EditConflict } from '../data/compare-edits.js';
import {
  type Draft,
  draftKey,
  draftOf,
  dropDraft,
  type IsSecretText,
  keepDraft,
  missingOf,
  readDraft,
} from '../data/drafts.js';
import { valueAt, withValueAt } from './field-path.js';
import type { ComponentChildren } from 'preact';
import { request } from '../data/api.js';
import { change, putChanged } from '../data/resources.js';
import { Button } from './button.js';
import { ChangesTable } from './changes-table.js';

export interface FormModel<T> {
  values: Signal<T>;
  fault: Signal<ApiFault | undefined>;
  /** Faults of the values that are known before they are sent, as from a preview, are shown at their fields. */
  foreseen: Signal<readonly FieldFault[]>;
  isBusy: Signal<boolean>;
  /** The values differ from those that it began with. */
  isChanged: () => boolean;
  get: (path: string) => unknown;
  set: (path: string, value: unknown) => void;
  /** Back to these values, and the draft is gone. With what was `sent`: what was typed since stays, with its draft. */
  reset: (values: T, sent?: T) => void;
  submit: () => Promise<void>;
  /** The secrets that the restored draft does not have, and that have not been typed again. */
  leftOut: Signal<Draft<T>['leftOut']>;
  /** The names of the paths that have a field, so that faults of others are shown above. */
  fields: Map<string, string>;
}

interface FormOptions<T> {
  initial: T;
  /** The name under which unsaved values survive a reload and signing in again. */
  draft?: string;
  /** Decides what no draft keeps. */
  isSecret?: IsSecretText;
  /** Rejects with an ApiFault, whose details are shown at their fields. */
  onSubmit: (values: T) => Promise<unknown>;
}

export function useForm<T extends object>(options: FormOptions<T>): FormModel<T> {
  const { initial, draft, isSecret = () => false, onSubmit } = options;
  const latest = useRef(onSubmit);
  latest.current = onSubmit;
  const key = draft === undefined ? undefined : draftKey(draft);
  return useMemo(() => {
    let base = initial;
    const restored = (key === undefined ? undefined : readDraft(key)) as Draft<T> | undefined;
    const begun: Draft<T> = restored ?? { values: initial, leftOut: [] };
    const values = signal<T>(begun.values);
    const leftOut = signal(begun.leftOut);
    const fault = signal<ApiFault | undefined>(undefined);
    const foreseen = signal<readonly FieldFault[]>([]);
    const isBusy = signal(false);
    const isChanged = () => JSON.stringify(values.value) !== JSON.stringify(base);
    const put = (next: T) => {
      values.value = next;
      leftOut.value = missingOf({ ...begun, leftOut: leftOut.peek() }, next);
      if (key === undefined) return;
      const kept = draftOf(next, base, isSecret);
      if (isChanged()) keepDraft(key, { ...kept, leftOut: [...leftOut.peek(), ...kept.leftOut] });
      else dropDraft(key);
    };
    return {
      values,
      fault,
      foreseen,
      isBusy,
      isChanged,
      leftOut,
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
          leftOut.value = [];
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

export interface EditOptions<B, T> {
  method: 'PUT' | 'PATCH';
  /** Where the thing is changed. */
  path: string;
  /** Where it is read with its `ETag`; `path`, if it is left out. */
  readPath?: string;
  read: { data: B; etag: string | null };
  pick: (body: B) => T;
  /** What is sent of the values, and of those that the edit began with; all values, if it is left out. undefined: nothing. */
  toBody?: (values: T, ground: T) => unknown;
  draft?: string;
  /** Decides what no draft keeps. */
  isSecret?: IsSecretText;
  /** Fields are called by their labels, and not by their paths. */
  hasLabels?: boolean;
  /** What is called how, by path, besides. */
  names?: Readonly<Record<string, string>>;
  /** What of a field is shown as different; its value, if it is left out. */
  shown?: (value: unknown, path: string) => unknown;
  onSaved?: (body: B) => void;
}

interface Ground<T> {
  values: T;
  etag: string | null;
}

/**
 * A form that edits something that others may edit too. It follows what is read until the user changes something. If
 * somebody else saves before the user does, both changes are shown field by field, and nothing is lost.
 * @returns the form, and what `Form` shows as its conflict
 */
export function useEdit<B, T extends object>(
  options: EditOptions<B, T>,
): { form: FormModel<T>; conflict: ComponentChildren } {
  const { method, path, readPath = path, read, pick, toBody = (values) => values, draft, isSecret } = options;
  const { hasLabels = false, names = {}, shown = (value) => value, onSaved } = options;
  const key = draft === undefined ? undefined : draftKey(draft);
  const groundKey = `${key}:ground`;
  const ground = useMemo(() => {
    const kept = key !== undefined && readDraft(key) !== undefined ? readDraft(groundKey) : undefined;
    return { current: (kept as Ground<T> | undefined) ?? { values: pick(read.data), etag: read.etag } };
  }, [key]);
  const [theirs, setTheirs] = useState<Ground<T>>();
  // The tag that the edit left behind: what is read has it until it is read again.
  const leftTag = useRef<string | null>(null);

  const start = (next: Ground<T>, sent?: T) => {
    leftTag.current = ground.current.etag;
    ground.current = next;
    form.reset(next.values, sent);
    setTheirs(undefined);
  };
  const form = useForm<T>({
    initial: ground.current.values,
    ...(draft !== undefined && { draft }),
    ...(isSecret && { isSecret }),
    onSubmit: async (values) => {
      const sent = toBody(values, ground.current.values);
      if (sent === undefined) return onSaved?.(read.data);
      try {
        const answer = await change<B>(method, path, { body: sent, ifMatch: ground.current.etag });
        const { body, etag } = answer;
        start({ values: pick(body), etag }, values);
        if (readPath === path) putChanged(path, answer);
        onSaved?.(body);
      } catch (error) {
        if (asFault(error).code === 'precondition_failed') {
          const latest = await request<B>('GET', readPath);
          setTheirs({ values: pick(latest.body), etag: latest.etag });
        }
        throw error;
      }
    },
  });
  const isChanged = form.isChanged();

  // In the task that brings it: a key that came before an effect after painting would be overwritten.
  useLayoutEffect(() => {
    if (read.etag === ground.current.etag) leftTag.current = null;
    else if (read.etag !== null && read.etag !== leftTag.current && !form.isBusy.peek()) {
      const next = { values: pick(read.data), etag: read.etag };
      if (!isChanged) start(next);
      // What changed is no value of this form.
      else if (isSame(next.values, ground.current.values)) ground.current = next;
    }
  }, [read.etag, isChanged]);
  useEffect(() => {
    if (key === undefined) return;
    if (isChanged) keepDraft(groundKey, ground.current);
    else dropDraft(groundKey);
  }, [key, isChanged, theirs, ground.current]);

  const settle = (prefer: 'mine' | 'theirs') => {
    const merged = mergeEdits(ground.current.values, form.values.peek(), theirs!.values, prefer);
    start(theirs!);
    for (const [name, value] of Object.entries(merged)) form.set(name, value);
  };
  const conflict = theirs && (
    <ConflictNote
      conflicts={compareEdits(ground.current.values, form.values.value, theirs.values).map((each) => ({
        path: each.path,
        mine: shown(each.mine, each.path),
        theirs: shown(each.theirs, each.path),
      }))}
      names={new Map([...(hasLabels ? form.fields : []), ...Object.entries(names)])}
      onKeepMine={() => {
        settle('mine');
        void form.submit();
      }}
      onTakeTheirs={() => settle('theirs')}
    />
  );
  return { form, conflict };
}

interface ConflictNoteProps {
  conflicts: readonly EditConflict[];
  names: ReadonlyMap<string, string>;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Somebody else saved meanwhile (412): both values field by field. Nothing of mine is lost. */
function ConflictNote({ conflicts, names, onKeepMine, onTakeTheirs }: ConflictNoteProps) {
  return (
    <div class="note note-partial" role="alert">
      <p>
        <strong>Somebody else saved this while you were editing.</strong>{' '}
        {conflicts.length === 0 ? 'You changed different fields. Save again to keep both.' : 'These fields differ:'}
      </p>
      {conflicts.length > 0 && (
        <ChangesTable
          class="conflicts"
          heads={['Yours', 'Theirs']}
          rows={conflicts.map(({ path, mine, theirs }) => ({ name: names.get(path) ?? path, values: [mine, theirs] }))}
        />
      )}
      <div class="row">
        <Button text={conflicts.length === 0 ? 'Save again' : 'Keep mine'} look="primary" onClick={onKeepMine} />
        {conflicts.length > 0 && <Button text="Take theirs" onClick={onTakeTheirs} />}
      </div>
    </div>
  );
}

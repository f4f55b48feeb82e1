import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { asFault } from '../data/api-fault.js';
import { request } from '../data/api.js';
import { change } from '../data/change.js';
import { compareEdits, isSame, mergeEdits } from '../data/compare-edits.js';
import { draftKey, dropDraft, keepDraft, readDraft } from '../data/drafts.js';
import { ConflictNote } from './conflict-note.js';
import { useForm, type FormModel } from './use-form.js';

export interface EditOptions<B, T> {
  method: 'PUT' | 'PATCH';
  /** Where the thing is changed. */
  path: string;
  /** Where it is read with its `ETag`; `path`, if it is left out. */
  readPath?: string;
  /** What was read last. */
  read: { data: B; etag: string | null };
  /** The values of the form. */
  pick: (body: B) => T;
  /** What is sent of the values, and of those that the edit began with; all values, if it is left out. undefined: nothing. */
  toBody?: (values: T, ground: T) => unknown;
  draft?: string;
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
  const { method, path, readPath = path, read, pick, toBody = (values) => values, draft } = options;
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
    onSubmit: async (values) => {
      const sent = toBody(values, ground.current.values);
      if (sent === undefined) return onSaved?.(read.data);
      try {
        const { body, etag } = await change<B>(method, path, { body: sent, ifMatch: ground.current.etag });
        start({ values: pick(body), etag }, values);
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

  useEffect(() => {
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

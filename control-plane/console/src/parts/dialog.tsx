import { signal } from '@preact/signals';
import { type ComponentChildren, Fragment } from 'preact';
import { useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { asFault, type ApiFault } from '../data/api-fault.js';
import { areRead, type ResourceView } from '../data/resources.js';
import { Button } from './button.js';
import { FaultNote, Unread } from './loaded.js';

const shown = signal<{ id: number; dialog: ComponentChildren }>();
let lastId = 0;

export function show(dialog: ComponentChildren): void {
  shown.value = { id: ++lastId, dialog };
}

/** Asks before something that others notice. */
export function ask(question: Question): void {
  show(<ConfirmDialog {...question} />);
}

export function Shown() {
  const { path } = useLocation();
  const drawn = useRef(shown.value);
  drawn.current = shown.value;
  // Not one that the screen of the new path has just shown.
  useLayoutEffect(
    () => () => {
      if (shown.peek() === drawn.current) shown.value = undefined;
    },
    [path],
  );
  return shown.value && <Fragment key={shown.value.id}>{shown.value.dialog}</Fragment>;
}

/** @returns what closes the dialog that calls it, unless another has taken its place */
export function useClose(): () => void {
  return useMemo(() => {
    const own = shown.peek();
    return () => {
      if (shown.peek() === own) shown.value = undefined;
    };
  }, []);
}

interface DialogProps {
  title: string;
  onClose?: () => void;
  children: ComponentChildren;
  isWide?: boolean;
}

/** A modal dialog while it is rendered. Focus stays inside, and goes back to what had it. */
export function Dialog({ title, onClose, children, isWide = false }: DialogProps) {
  const close = useClose();
  const leave = () => {
    close();
    onClose?.();
  };
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  // Before the next key arrives, which is meant for the dialog.
  useLayoutEffect(() => {
    const own = dialog.current!;
    own.showModal();
    // Focus begins at the first field, not at the button that closes the dialog.
    own.querySelector<HTMLElement>('form :is(input, select, textarea)')?.focus();
    return () => own.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      class={isWide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        leave();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) leave();
      }}
    >
      <div class="pad-5 lines gap-4">
        <div class="dialog-head flex center between gap-4">
          <h2 id={titleId}>{title}</h2>
          <Button look="plain" icon="close" label="Close" onClick={leave} />
        </div>
        {children}
      </div>
    </dialog>
  );
}

export interface Question {
  title: string;
  /** The verb of the button: `Delete 3 monitors`. */
  action: string;
  /** What else is taken along, one sentence each. */
  consequences?: readonly string[];
  /** What has to be typed before the button works: the name of what is deleted. */
  typedName?: string;
  isDanger?: boolean;
  /** False while something is not chosen yet. */
  isReady?: boolean;
  /** It acts on these: the button works once all of them are read. */
  needs?: readonly ResourceView<unknown>[];
  /** Rejects with an ApiFault, which is shown; when it resolves, the dialog closes. */
  onConfirm: () => Promise<unknown>;
  children?: ComponentChildren;
}

export function ConfirmDialog(props: Question) {
  const { title, action, consequences = [], typedName, isDanger = true, isReady = true, onConfirm, children } = props;
  const { needs = [] } = props;
  const close = useClose();
  const [typed, setTyped] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [fault, setFault] = useState<ApiFault>();
  const isConfirmed = isReady && areRead(needs) && (typedName === undefined || typed.trim() === typedName.trim());
  const confirm = async (event: Event) => {
    event.preventDefault();
    if (!isConfirmed || isBusy) return;
    setBusy(true);
    setFault(undefined);
    try {
      await onConfirm();
      close();
    } catch (error) {
      setFault(asFault(error));
      setBusy(false);
    }
  };
  return (
    <Dialog title={title}>
      <form class="stack" onSubmit={(event) => void confirm(event)}>
        {children}
        {consequences.length > 0 && (
          <ul class="indent lines gap-1">
            {consequences.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        {typedName !== undefined && (
          <label class="field">
            <span class="field-label">
              Type <strong>{typedName}</strong> to confirm
            </span>
            <input
              class="input"
              value={typed}
              autocomplete="off"
              spellcheck={false}
              onInput={(event) => setTyped(event.currentTarget.value)}
            />
          </label>
        )}
        <Unread needs={needs} />
        {fault && <FaultNote fault={fault} />}
        <div class="wrap gap-2 to-right">
          <Button text="Cancel" onClick={close} />
          <Button
            text={action}
            type="submit"
            look={isDanger ? 'danger' : 'primary'}
            isBusy={isBusy}
            disabled={!isConfirmed}
          />
        </div>
      </form>
    </Dialog>
  );
}

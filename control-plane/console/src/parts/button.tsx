import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface ButtonProps {
  /** Its words. Without them it is an icon with a `label`. */
  text?: ComponentChildren;
  /** `primary` once a screen; `danger` for what cannot be undone; `plain` has no edge. */
  look?: 'primary' | 'danger' | 'plain' | false | undefined;
  icon?: IconName | undefined;
  /** Shown as a name on hover and read out; needed where there is only an icon. */
  label?: string;
  type?: 'button' | 'submit';
  isBusy?: boolean;
  disabled?: boolean;
  /** Why it is disabled, shown on hover. */
  reason?: string | undefined;
  onClick?: ((event: MouseEvent) => void) | undefined;
  /** Where it leads; it is a link then. */
  href?: string;
  /** The link leaves the console, to another tab. */
  isOutside?: boolean;
}

/** A button, or a link that looks like one. A busy button stays focusable, and does nothing. */
export function Button(props: ButtonProps) {
  const { text, look, icon, label, type = 'button', isBusy = false, disabled = false, reason, onClick } = props;
  const isOff = disabled || isBusy;
  const shared = {
    class: ['btn', look && `btn-${look}`, text === undefined && 'btn-icon'].filter(Boolean).join(' '),
    'aria-label': label,
    title: reason ?? label,
  };
  const content = (
    <>
      {icon && <Icon name={icon} />}
      {text}
    </>
  );
  if (props.href !== undefined) {
    return (
      <a {...shared} href={props.href} {...(props.isOutside && { target: '_blank', rel: 'noopener' })}>
        {content}
      </a>
    );
  }
  return (
    <button
      {...shared}
      type={type}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {content}
    </button>
  );
}

interface MoversProps {
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
}

export function Movers({ name, isFirst, isLast, onMove }: MoversProps) {
  return (
    <>
      <Button look="plain" icon="up" label={`Move ${name} up`} disabled={isFirst} onClick={() => onMove(-1)} />
      <Button look="plain" icon="down" label={`Move ${name} down`} disabled={isLast} onClick={() => onMove(1)} />
    </>
  );
}

/** Adds an entry to a list of a form, up to `most`. @param of.whole what has at most so many: `A policy has` */
export function AddButton(of: { entry: string; count: number; most: number; whole: string; onClick: () => void }) {
  const { entry, count, most, whole, onClick } = of;
  const reason = count >= most ? `${whole} at most ${most} ${entry}s` : undefined;
  return (
    <div class="row">
      <Button text={`Add a ${entry}`} icon="plus" disabled={reason !== undefined} reason={reason} onClick={onClick} />
    </div>
  );
}

/** Line drawings of 16 × 16 in the current colour. */
const PATHS = {
  overview: 'M2 13V8.5M6 13V5M10 13V7M14 13V2.5',
  monitors: 'M1.5 8h3l2-5 3 10 2-5h3',
  incidents: 'M8 2 14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  'on-call': 'M8 2a4.3 4.3 0 0 1 4.3 4.3c0 3.2 1.2 4.7 1.2 4.7h-11s1.2-1.5 1.2-4.7A4.3 4.3 0 0 1 8 2zM6.5 13.5h3',
  alerts: 'M2 4.5h12v8H2zM2 5l6 4.5L14 5',
  'status-pages': 'M2 2.5h12v11H2zM2 6h12M5 9h6M5 11h3.5',
  reports: 'M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M6 8h4M6 10.5h4',
  regions: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM2 8h12M8 2c4 4 4 8 0 12M8 2C4 6 4 10 8 14',
  maintenance: 'M2.5 2.5h11v11h-11zM2.5 9 9 2.5M7 13.5 13.5 7',
  settings: 'M2 4.5h7M12 4.5h2M2 11.5h2M7 11.5h7M10.5 3v3M5.5 10v3',
  grip: 'M6 3.5h.1M6 8h.1M6 12.5h.1M10 3.5h.1M10 8h.1M10 12.5h.1',
  more: 'M3 8h.1M8 8h.1M13 8h.1',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9zM10.5 10.5 14 14',
  plus: 'M8 3v10M3 8h10',
  check: 'M3 8.5l3.2 3.2L13 5',
  close: 'M4 4l8 8M12 4l-8 8',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  down: 'M4 6l4 4 4-4',
  up: 'M4 10l4-4 4 4',
  calendar: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3',
  left: 'M10 4L6 8l4 4',
  right: 'M6 4l4 4-4 4',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3l7.5 5L5 13z',
  tag: 'M2 2.5h5.5l6.5 6.5-5.2 5.2L2 7.7zM5 5.5v.1',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.7 9.5h6.6L12 4',
  person: 'M8 2.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM2.5 14c.4-3 2.5-4.6 5.5-4.6s5.1 1.6 5.5 4.6',
  link: 'M6.5 9.5l3-3M7 5l1.7-1.7a2.8 2.8 0 0 1 4 4L11 9M9 11l-1.7 1.7a2.8 2.8 0 0 1-4-4L5 7',
  clock: 'M8 1.8a6.2 6.2 0 1 1 0 12.4A6.2 6.2 0 0 1 8 1.8zM8 4.5V8l2.5 1.5',
  edit: 'M3 13l.6-2.8L11 2.8l2.2 2.2-7.4 7.4z',
  refresh: 'M13 5.5A5.5 5.5 0 1 0 13.5 9M13.5 2.5v3.2h-3.2',
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration: the text beside it has the words. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

const SHOWN_MS = 2_000;

/** Copies a text, and shows that it did; where the browser refuses, the text is to be selected by hand. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<string>();
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Select and copy it by hand',
    );
    setOutcome(done);
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <span role="status">
      <Button text={outcome ?? label} icon={outcome === 'Copied' ? 'check' : 'copy'} onClick={() => void copy()} />
    </span>
  );
}

/** A text that is shown once; focus selects all of it. */
export function ReadOnly({ label, value }: { label: string; value: string }) {
  return (
    <input
      class="input mono"
      readOnly
      aria-label={label}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

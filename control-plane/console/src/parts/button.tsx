import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.js';

interface ButtonProps {
  children?: ComponentChildren;
  /** `primary` once a screen; `danger` for what cannot be undone; `plain` has no edge. */
  look?: 'primary' | 'danger' | 'plain';
  icon?: IconName;
  /** Shown as a name on hover and read out; needed where there is only an icon. */
  label?: string;
  type?: 'button' | 'submit';
  isBusy?: boolean;
  disabled?: boolean;
  /** Why it is disabled, shown on hover. */
  reason?: string | undefined;
  onClick?: (event: MouseEvent) => void;
}

/** A busy button stays focusable, and does nothing. */
export function Button(props: ButtonProps) {
  const { children, look, icon, label, type = 'button', isBusy = false, disabled = false, reason, onClick } = props;
  const isOff = disabled || isBusy;
  return (
    <button
      type={type}
      class={['btn', look && `btn-${look}`, children === undefined && 'btn-icon'].filter(Boolean).join(' ')}
      aria-label={label}
      title={reason ?? label}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      onClick={(event) => {
        if (isOff) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink(props: {
  href: string;
  children: ComponentChildren;
  look?: 'primary' | 'plain';
  icon?: IconName;
}) {
  const { href, children, look, icon } = props;
  return (
    <a class={`btn${look ? ` btn-${look}` : ''}`} href={href}>
      {icon && <Icon name={icon} />}
      {children}
    </a>
  );
}

interface MoversProps {
  /** Names the thing that moves. */
  name: string;
  isFirst: boolean;
  isLast: boolean;
  onMove: (by: 1 | -1) => void;
}

/** Moves something among others by one. */
export function Movers({ name, isFirst, isLast, onMove }: MoversProps) {
  return (
    <>
      <Button look="plain" icon="up" label={`Move ${name} up`} disabled={isFirst} onClick={() => onMove(-1)} />
      <Button look="plain" icon="down" label={`Move ${name} down`} disabled={isLast} onClick={() => onMove(1)} />
    </>
  );
}

import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Icon, type IconName } from './button.js';

export type MenuItem = Item | false;

interface Item {
  label: ComponentChildren;
  icon?: IconName;
  /** A link, or */
  href?: string;
  /** an action. */
  onSelect?: () => void;
  isDanger?: boolean;
  /** True where the item is chosen. One is, or, in a menu of `isMulti`, any number. */
  isCurrent?: boolean;
  /** Has a line above. */
  startsGroup?: boolean;
}

interface MenuProps {
  /** Inside the button. */
  children: ComponentChildren;
  /** Of the menu, and of the button unless that has words of its own. */
  label: string;
  hasWords?: boolean;
  isMulti?: boolean;
  onOpen?: () => void;
  /** Without those that are false. */
  items: readonly MenuItem[];
  className?: string;
}

/** A button with a menu below or above it, whichever has room. Arrow keys, Home, End and Escape work in it. */
export function Menu({
  children,
  label,
  hasWords = false,
  isMulti = false,
  onOpen,
  items,
  className = 'btn',
}: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);

  // Items may come while it is open.
  useLayoutEffect(() => {
    if (menu.current!.matches(':popover-open')) placeAt(button.current!, menu.current!);
  }, [items.length]);

  const opened = (event: { newState: string }) => {
    const isOpen = event.newState === 'open';
    button.current!.setAttribute('aria-expanded', String(isOpen));
    if (!isOpen) return;
    onOpen?.();
    placeAt(button.current!, menu.current!);
    itemsOf(menu.current!)[0]?.focus();
  };
  const move = (event: KeyboardEvent) => {
    const all = itemsOf(menu.current!);
    const at = all.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (event.key === 'Tab') menu.current!.hidePopover();
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  const close = () => {
    menu.current!.hidePopover();
    button.current!.focus();
  };

  return (
    <>
      <button
        ref={button}
        type="button"
        class={className}
        aria-label={hasWords ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={false}
        aria-controls={id}
        onClick={() => menu.current!.togglePopover()}
      >
        {children}
      </button>
      <div
        ref={menu}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        aria-label={label}
        onToggle={opened}
        onKeyDown={move}
      >
        {items.map((item, index) => {
          if (!item) return null;
          const content = (
            <>
              {item.icon && <Icon name={item.icon} />}
              <span class="grow">{item.label}</span>
              {item.isCurrent && <Icon name="check" />}
            </>
          );
          const shared = {
            role: item.isCurrent === undefined ? 'menuitem' : isMulti ? 'menuitemcheckbox' : 'menuitemradio',
            'aria-checked': item.isCurrent,
            tabIndex: -1,
            class: ['menu-item', item.isDanger && 'state-unavailable', item.startsGroup && 'menu-group']
              .filter(Boolean)
              .join(' '),
          } as const;
          if (item.href !== undefined) {
            return (
              <a key={index} {...shared} href={item.href} onClick={close}>
                {content}
              </a>
            );
          }
          const select = () => {
            close();
            item.onSelect?.();
          };
          return (
            <button key={index} {...shared} type="button" onClick={select}>
              {content}
            </button>
          );
        })}
      </div>
    </>
  );
}

/** Puts what is open below or above what opened it, whichever has room. */
export function placeAt(opener: HTMLElement, own: HTMLElement): void {
  const box = opener.getBoundingClientRect();
  const below = box.bottom + 4 + own.offsetHeight <= innerHeight || box.top < innerHeight / 2;
  own.style.top = `${below ? box.bottom + 4 : Math.max(8, box.top - 4 - own.offsetHeight)}px`;
  const widest = document.documentElement.clientWidth - own.offsetWidth - 8;
  own.style.left = `${Math.max(8, Math.min(box.left, widest))}px`;
}

export function MoreMenu({ look = 'btn-plain', ...menu }: Omit<MenuProps, 'children'> & { look?: string }) {
  return (
    <Menu {...menu} className={`btn btn-icon ${look}`}>
      <Icon name="more" />
    </Menu>
  );
}

function itemsOf(menu: HTMLElement): HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('.menu-item')];
}

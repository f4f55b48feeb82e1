import { NoSuch, NotLoaded, type RoomProps } from '../parts/loaded.js';
import { useLocation } from 'preact-iso';
import { addressWith, paramsOf } from '../data/address.js';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect } from 'preact/hooks';
import { workspace } from '../data/session.js';
import { Age } from '../parts/marks.js';
import { signal } from '@preact/signals';
import { Dialog, show } from '../parts/dialog.js';

interface ScreenProps {
  /** The h1, and the title of the document unless `documentTitle` is given. */
  title: ComponentChildren;
  documentTitle?: string;
  /** When what is shown was read, ms since the epoch: its age is beside the title. */
  receivedMs?: number;
  /** Beside the title: buttons. */
  actions?: ComponentChildren;
  /** Below the title: a sentence, tabs. */
  lead?: ComponentChildren;
  children: ComponentChildren;
}

/** A screen with its heading. Navigation moves focus to the heading. */
export function Screen({ title, documentTitle, receivedMs, actions, lead, children }: ScreenProps) {
  const text = documentTitle ?? (typeof title === 'string' ? title : '');
  const name = workspace.value?.name;
  useEffect(() => {
    document.title = [text, name, 'Watchpost'].filter(Boolean).join(' · ');
  }, [text, name]);
  return (
    <>
      <header class="screen-head lines center gap-2-4 below-5">
        <h1 tabIndex={-1}>
          {title} {receivedMs !== undefined && <Age receivedMs={receivedMs} />}
        </h1>
        {actions && <div class="screen-actions wrap gap-2">{actions}</div>}
        {lead && <div class="across">{lead}</div>}
      </header>
      {children}
    </>
  );
}

interface NotThereProps extends Pick<ScreenProps, 'title'>, Omit<RoomProps, 'missing'> {
  /** Where there is no such thing: what it is, the address of all of them, and why it may be gone. */
  kind?: string;
  all?: string;
  why?: string;
}

/** A screen in place of the one whose object is not read yet, or cannot be. */
export function NotThere({ title, kind, all = '', why, ...read }: NotThereProps) {
  return (
    <Screen title={title}>
      <NotLoaded
        {...read}
        {...(kind && {
          missing: (
            <NoSuch kind={kind} all={all}>
              {why}
            </NoSuch>
          ),
        })}
      />
    </Screen>
  );
}

export interface KeyBinding {
  /** `event.key`, or two of them with a blank; a letter is meant without modifiers. */
  key: string;
  /** The words for it in the list of keys. */
  label: string;
  /** @param row the key of the row that has focus; undefined if none has */
  run: (row: string | undefined) => void;
}

/** Runs what the address asks for by `new`, as the palette and `n` do, and takes that out of the address. */
export function useNew(run: () => void): void {
  const { url, route } = useLocation();
  const isAsked = paramsOf(url).has('new');
  useLayoutEffect(() => {
    if (!isAsked) return;
    route(addressWith(url, { new: undefined }), true);
    run();
  }, [isAsked]);
}

/** The second of two keys is waited for so long. */
const SECOND_KEY_MS = 1_500;

const bindings = signal<readonly KeyBinding[]>([]);

/** Keys of a screen, from the moment it is drawn and while it is shown. Those of a later call come first. */
export function useKeys(own: readonly KeyBinding[]): void {
  useLayoutEffect(() => {
    bindings.value = [...own, ...bindings.peek()];
    return () => {
      bindings.value = bindings.peek().filter((each) => !own.includes(each));
    };
  });
}

export function startKeys(openPalette: () => void): () => void {
  let first: { key: string; ms: number } | undefined;
  const listen = (event: KeyboardEvent) => {
    if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
      event.preventDefault();
      openPalette();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event) || document.querySelector('dialog[open]'))
      return;
    const row = document.activeElement?.closest<HTMLElement>('[data-row]')?.dataset['row'];
    const begun = first && event.timeStamp - first.ms < SECOND_KEY_MS ? `${first.key} ${event.key}` : undefined;
    first = undefined;
    const all = bindings.peek();
    const own = all.find(({ key }) => key === begun) ?? all.find(({ key }) => key === event.key);
    if (!own && all.some(({ key }) => key.startsWith(`${event.key} `))) {
      first = { key: event.key, ms: event.timeStamp };
      event.preventDefault();
      return;
    }
    const run = own ? () => own.run(row) : general(event.key);
    if (run === undefined) return;
    event.preventDefault();
    // A key that is held acts once; rows go by.
    if (!own || !event.repeat) run();
  };
  addEventListener('keydown', listen);
  return () => removeEventListener('keydown', listen);
}

function general(key: string): (() => void) | undefined {
  if (key === '?') return showKeys;
  if (key === 'j') return () => moveRow(1);
  if (key === 'k') return () => moveRow(-1);
  if (key === 'x' && document.activeElement?.closest('[data-row]'))
    return () => document.activeElement?.closest('[data-row]')?.querySelector<HTMLElement>('[data-select]')?.click();
  const filter = document.querySelector<HTMLInputElement>('main [data-filter]');
  if (key === '/' && filter) return () => filter.select();
  return undefined;
}

/** Moves focus to the link of the next row. */
function moveRow(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>('main [data-row]')];
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, at + by))];
  const link = next?.querySelector<HTMLElement>('[data-row-link]') ?? next?.querySelector<HTMLElement>('a, button');
  link?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'radio';
  return target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

const GENERAL = [
  ['Ctrl K', 'Find monitors, incidents, people and commands'],
  ['/', 'Filter the list'],
  ['j k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['x', 'Select the row'],
  ['?', 'Show these keys'],
] as const;

export function showKeys(): void {
  show(<KeyHelp />);
}

function KeyHelp() {
  const own = bindings.value.map(({ key, label }) => [key, label] as const);
  return (
    <Dialog title="Keys">
      <dl class="keys lines gap-2">
        {[...own, ...GENERAL].map(([key, label]) => (
          <div key={key}>
            <dt class="flex gap-1">
              {key.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

import type { Found } from '@watchpost/control-plane/capabilities/overview/search-schemas';
import { signal } from '@preact/signals';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { queryText } from '../data/address.js';
import { hasRole, pathTo } from '../data/session.js';
import { knownRows, useResource } from '../data/resources.js';
import { Icon, type IconName } from '../parts/button.js';
import { useLater } from '../parts/use-later.js';
import { showKeys } from './screen.js';
import { acknowledge } from './acting.js';
import { newWorkspace } from './new-workspace.js';
import { MAKES, ROUTES } from './routes.js';
import { chooseTheme } from './theme.js';

const isOpen = signal(false);
/** Less than between two keys of most people, so that each asks; a key that repeats does not. */
const PAUSE_MS = 50;
/** The most of a kind that is shown before the server answers, which answers as many. */
const MOST_HERE = 8;

export function openPalette(): void {
  isOpen.value = true;
}

interface Choice {
  id: string;
  label: string;
  detail: string;
  icon: IconName;
  run: () => void;
}

/** Finds screens, commands, and what the workspace contains. */
export function Palette() {
  return isOpen.value ? <OpenPalette /> : null;
}

function OpenPalette() {
  const { route } = useLocation();
  const [text, setText] = useState('');
  const asked = useLater(text.trim(), PAUSE_MS);
  // Undefined until somebody has moved in the list.
  const [index, setIndex] = useState<number>();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => dialog.current!.showModal(), []);

  const found = useResource<Found>(asked === '' ? null : `/api/v1/search${queryText({ q: asked })}`);
  // Chosen once a key, so that nothing moves when the server answers.
  const [here, setHere] = useState<Partial<Found>>({});
  const close = () => (isOpen.value = false);
  const go = (path: string) => route(path);
  const words = text.trim().toLowerCase();
  const own = commands(go).filter(({ label }) => label.toLowerCase().includes(words));
  const begins = own.filter(({ label }) => words !== '' && label.toLowerCase().startsWith(words));
  const answer = asked === text.trim() && !found.isPrevious ? found.data : undefined;
  const theirs = choicesOf(answer ?? {}, go);
  const named = useRef<{ asked: string; choices: Choice[] }>({ asked: '', choices: [] });
  if (answer && named.current.asked !== asked)
    named.current = { asked, choices: index === undefined ? theirs.filter((choice) => isNamed(choice, words)) : [] };
  // First what is here, and below it what only the server has, except what has this very name: Enter means that.
  const exact = answer ? named.current.choices : [];
  const all = [...begins, ...exact, ...choicesOf(here, go), ...own, ...theirs];
  const choices = [...new Map(all.map((choice) => [choice.id, choice])).values()];
  const current = Math.min(index ?? 0, choices.length - 1);
  const choose = (choice: Choice | undefined) => {
    if (choice === undefined) return;
    close();
    choice.run();
  };
  const move = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (by !== 0) {
      event.preventDefault();
      setIndex((current + by + choices.length) % Math.max(1, choices.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      choose(choices[current]);
    }
  };
  useLayoutEffect(() => {
    document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: 'nearest' });
  }, [current]);

  return (
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Find"
      onClose={close}
      onClick={(event) => {
        if (event.target === dialog.current) close();
      }}
    >
      <div class="palette-input flex center gap-3 soft pad-3-4 line-below">
        <Icon name="search" />
        <input
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={choices.length > 0 ? `${id}-${current}` : undefined}
          aria-label="Find monitors, incidents, people and commands"
          placeholder="Find monitors, incidents, people and commands"
          autocomplete="off"
          spellcheck={false}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value);
            setHere(findHere(event.currentTarget.value, found.data));
            setIndex(undefined);
          }}
          onKeyDown={move}
        />
      </div>
      <ul class="palette-list" id={`${id}-list`} role="listbox" aria-label="Found">
        {choices.map((choice, at) => (
          <li
            key={choice.id}
            id={`${id}-${at}`}
            role="option"
            aria-selected={at === current}
            onPointerMove={() => setIndex(at)}
            onClick={() => choose(choice)}
          >
            <Icon name={choice.icon} />
            <span class="cut grow">{choice.label}</span>
            <span class="soft">{choice.detail}</span>
          </li>
        ))}
      </ul>
      {choices.length === 0 && (
        <p class="pad-4 soft">{answer ? 'Nothing found.' : (found.fault?.message ?? 'Searching …')}</p>
      )}
    </dialog>
  );
}

const isNamed = ({ label }: Choice, words: string) => label.toLowerCase() === words;

function commands(go: (path: string) => void): Choice[] {
  return [
    ...ROUTES.flatMap(({ path, rail }) =>
      rail
        ? [{ id: `to${path}`, label: rail.label, detail: 'Go to', icon: rail.icon, run: () => go(pathTo(path)) }]
        : [],
    ),
    ...MAKES.filter(({ role }) => hasRole(role)).map(({ label, icon, path, query }) => ({
      id: label,
      label,
      detail: 'Command',
      icon,
      run: () => go(pathTo(path, query)),
    })),
    { id: 'workspace', label: 'New workspace', detail: 'Command', icon: 'settings', run: newWorkspace },
    { id: 'light', label: 'Light theme', detail: 'Command', icon: 'settings', run: () => chooseTheme('light') },
    { id: 'dark', label: 'Dark theme', detail: 'Command', icon: 'settings', run: () => chooseTheme('dark') },
    { id: 'keys', label: 'Show keys', detail: 'Command', icon: 'settings', run: showKeys },
  ];
}

/** Finds what has all the words among the rows that were read already, and among what was found before. */
function findHere(text: string, before: Found | undefined): Partial<Found> {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return {};
  const begins = (row: string) => row.toLowerCase().startsWith(text.trim().toLowerCase());
  const hasAll = (row: string) => words.every((word) => row.toLowerCase().includes(word));
  const pick = <T extends { id: string }>(path: string, found: readonly T[] = [], textOf: (row: T) => string) =>
    [...new Map([...knownRows<T>(path), ...found].map((row) => [row.id, row])).values()]
      .filter((row) => hasAll(textOf(row)))
      .toSorted((a, b) => Number(begins(textOf(b))) - Number(begins(textOf(a))))
      .slice(0, MOST_HERE);
  return {
    monitors: pick('/api/v1/monitor', before?.monitors, ({ name, url }) => `${name} ${url ?? ''}`),
    incidents: pick(
      '/api/v1/incident',
      before?.incidents,
      ({ monitorName, failureReason }) => `${monitorName} ${failureReason}`,
    ),
    people: before?.people.filter(({ name, email }) => hasAll(`${name ?? ''} ${email ?? ''}`)) ?? [],
    statusPages: pick('/api/v1/status-page', before?.statusPages, ({ name, slug }) => `${name} ${slug}`),
    actionGroups: pick('/api/v1/action-groups', before?.actionGroups, ({ name }) => name),
  };
}

function choicesOf(
  { monitors = [], incidents = [], people = [], statusPages = [], actionGroups = [] }: Partial<Found>,
  go: (path: string) => void,
): Choice[] {
  const choice = (id: string, label: string, detail: string, icon: IconName, path: string): Choice => ({
    id,
    label,
    detail,
    icon,
    run: () => go(pathTo(path)),
  });
  return [
    ...monitors.map(({ id, name, url }) => choice(id, name, url ?? '', 'monitors', `/monitors/${id}`)),
    ...(hasRole('Editor') ? monitors : []).map(({ id, name }) => ({
      ...choice(`silence ${id}`, `Silence ${name}`, 'Command', 'maintenance', ''),
      run: () => go(pathTo('/maintenance/new', { monitorId: id })),
    })),
    ...incidents.map(({ id, monitorName, isClosed, failureReason }) =>
      choice(id, `${monitorName}: ${failureReason}`, isClosed ? 'Closed' : 'Open', 'incidents', `/incidents/${id}`),
    ),
    ...incidents
      .filter(({ isClosed, acknowledged }) => !isClosed && !acknowledged && hasRole('Responder'))
      .map((incident) => ({
        ...choice(`acknowledge ${incident.id}`, `Acknowledge ${incident.monitorName}`, 'Command', 'check', ''),
        run: () => void acknowledge(incident),
      })),
    ...incidents
      .filter(({ isClosed }) => !isClosed)
      .map(({ id, monitorName }) =>
        choice(`diagnose ${id}`, `Diagnose ${monitorName}`, 'Command', 'incidents', `/incidents/${id}/diagnosis`),
      ),
    ...people.map(({ userId, name, email, role }) =>
      choice(userId, name ?? email ?? userId, role, 'person', '/settings/members'),
    ),
    ...statusPages.map(({ id, name, slug }) => choice(id, name, slug, 'status-pages', `/status-pages/${id}`)),
    ...actionGroups.map(({ id, name, type }) => choice(id, name, type, 'alerts', '/alerts')),
  ];
}

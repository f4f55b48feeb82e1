import type { MonitorView, TagCount } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import type { MonitorGroup, Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { STATE_LOOKS } from '@watchpost/shared/design/states';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { addressWith, GROUPS_PATH, groupsQuery, paramsOf, type Query, TAGS_ADDRESS } from '../../data/address.js';
import { pathTo } from '../../data/session.js';
import { useResource } from '../../data/resources.js';
import { Button, Icon } from '../../parts/button.js';
import { countText, numberText } from '../../parts/format.js';
import { Loaded } from '../../parts/loaded.js';
import { Menu } from '../../parts/menu.js';
import { Section } from '../../parts/section.js';
import { Tip, useCursor } from '../../parts/state-bar.js';
import { tagKeys } from '../../parts/tag-keys.js';
import { isLeft, sliderOf } from '../../parts/time-cursor.js';
import { useFocus } from '../../parts/use-focus.js';
import { useLater } from '../../parts/use-later.js';
import { cellRuns, layCells, pathOfRun, placeInList } from './fleet-cells.js';
import { verdictSentence } from './verdict.js';

const HEIGHT = 240;
/** The picture of a group is so high, px. */
const GROUP_HEIGHT = 72;
/** With fewer, the table below is picture enough. */
const LEAST = 12;
const PAUSE_MS = 120;
/** So many groups more are shown at once. */
const MORE = 48;

/**
 * One cell a monitor, the worst first. It is drawn from counts, so that it costs no request for each monitor; who a cell is, is
 * asked for where somebody looks at it.
 */
export function FleetPicture({ counts }: { counts: Overview['counts'] }) {
  const by = paramsOf(useLocation().url).get('by') ?? '';
  return counts.total < LEAST ? null : (
    <Section title="All at a glance" aside={<Grouping by={by} />}>
      {by === '' ? (
        <Cells counts={counts} label="Monitors, worst first" height={HEIGHT} />
      ) : (
        <Groups key={by} by={by} />
      )}
    </Section>
  );
}

/** Chooses what the picture is grouped by. The keys of tags are read once somebody opens it. */
function Grouping({ by }: { by: string }) {
  const { url } = useLocation();
  const [isOpened, setOpened] = useState(false);
  const { data: tags = [] } = useResource<TagCount[]>(isOpened ? TAGS_ADDRESS : null);
  const values = [...new Set(['', 'serviceGroup', ...tagKeys(tags), by])];
  return (
    <Menu
      label="Group by"
      hasWords
      onOpen={() => setOpened(true)}
      items={values.map((value) => ({
        label: groupingWord(value),
        href: addressWith(url, { by: value }),
        isCurrent: value === by,
      }))}
    >
      Group by: {groupingWord(by)}
      <Icon name="down" />
    </Menu>
  );
}

function groupingWord(by: string): string {
  return by === '' ? 'none' : by === 'serviceGroup' ? 'service group' : `tag ${by}`;
}

/** The worst groups, each with the cells of its monitors. Of all cells one is a stop of the key Tab. */
function Groups({ by }: { by: string }) {
  const [asked, setAsked] = useState<number>();
  const [stop, setStop] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const groups = useResource<MonitorGroup[]>(GROUPS_PATH, groupsQuery(by, asked));
  const count = groups.data?.length ?? 0;
  const before = useRef(count);
  // The button may be gone, and what it brought is above it.
  useFocus(() => {
    if (before.current > 0 && count > before.current && asked !== undefined)
      frame.current?.children[before.current]?.querySelector('a')?.focus({ preventScroll: true });
    before.current = count;
  }, [count]);
  return (
    <Loaded of={groups} rows={4}>
      {(shown) => {
        const totals = shown.map(({ counts }) => counts.total);
        const picture = { most: Math.max(...totals), shown: totals.reduce((sum, total) => sum + total, 0) };
        const others = (groups.total ?? 0) - shown.length;
        return (
          <>
            <div class="fleet-groups" ref={frame}>
              {shown.map(({ name, serviceGroupId, tag, counts }, at) => {
                const title = name ?? (by === 'serviceGroup' ? 'No service group' : `No ${by} tag`);
                const isNone = name === null;
                const address = isNone ? { without: by } : tag === null ? { group: name } : { tag };
                return (
                  <section key={serviceGroupId ?? tag ?? ''} class="lines gap-1 packed" aria-label={title}>
                    <h3>
                      <a href={pathTo('/monitors', address)}>{title}</a>
                    </h3>
                    <p class="soft small">{verdictSentence(counts)}</p>
                    <Cells
                      counts={counts}
                      label={`${title}, worst first`}
                      height={GROUP_HEIGHT}
                      group={{
                        ...picture,
                        query: isNone ? address : { serviceGroupId, tag },
                        address,
                        isStop: at === Math.min(stop, shown.length - 1),
                        onFocus: () => setStop(at),
                      }}
                    />
                  </section>
                );
              })}
            </div>
            {others > 0 && (
              <p class="wrap center gap-2-4 soft above-3">
                <Button
                  text={`Show ${numberText(Math.min(MORE, others))} more`}
                  isBusy={groups.isPrevious}
                  onClick={() => setAsked(shown.length + MORE)}
                />
                The worst {shown.length} of {countText(groups.total ?? 0, 'group')}
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}

interface CellsProps {
  counts: Overview['counts'];
  label: string;
  /** The picture is at most so high, px, unless its cells cannot be made as small. */
  height: number;
  /** Cells of one of several groups have this. */
  group?: {
    /** The API and the address of the list of monitors have it by this. */
    query: Query;
    address: Query;
    /** The largest group has so many monitors, and all that are shown. */
    most: number;
    shown: number;
    /** The key Tab leads to it; Page Up and Page Down lead from one group to another. */
    isStop: boolean;
    onFocus: () => void;
  };
}

function Cells({ counts, label, height, group }: CellsProps) {
  const { route } = useLocation();
  const frame = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  // Before it is painted, so that nothing below moves.
  useLayoutEffect(() => {
    setWidth(frame.current!.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry!.contentRect.width)));
    observer.observe(frame.current!);
    return () => observer.disconnect();
  }, []);
  const runs = cellRuns(counts, group?.shown);
  const total = runs.reduce((sum, { length }) => sum + length, 0);
  const laid = layCells(
    total,
    width,
    height,
    group && Math.max(total, Math.ceil(group.most / runs[0]!.monitorsPerCell)),
  );
  const { pitch, columns, rows } = laid;
  const { index, setIndex, follow } = useCursor(total, ({ clientX, clientY }) => {
    const { left, top } = frame.current!.getBoundingClientRect();
    const column = Math.min(columns - 1, Math.max(0, Math.floor((clientX - left) / pitch)));
    return Math.min(total - 1, Math.max(0, Math.floor((clientY - top) / pitch)) * columns + column);
  });
  const run = runs.find(({ start, length }) => index !== undefined && index >= start && index < start + length);
  const monitor = useMonitorAt(run && placeInList(run, index!, group?.query));
  const text =
    run === undefined
      ? verdictSentence(counts)
      : run.monitorsPerCell > 1
        ? `${countText(run.monitorsPerCell, 'monitor')}: ${STATE_LOOKS[run.state].word}`
        : `${monitor?.name ?? '…'}: ${STATE_LOOKS[run.state].word}`;
  const open = () => {
    if (run === undefined) return;
    if (run.monitorsPerCell === 1 && monitor) route(pathTo(`/monitors/${monitor.id}`));
    else route(pathTo('/monitors', { ...group?.address, state: STATE_LOOKS[run.state].word.toLowerCase() }));
  };
  const step = (event: KeyboardEvent) => {
    if (event.key === 'Enter') open();
    const { key } = event;
    const at = index ?? 0;
    const moves = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -at, End: total };
    const toGroup = group && { PageUp: -1, PageDown: 1 }[key];
    if (toGroup !== undefined) {
      const all = [...frame.current!.closest('.fleet-groups')!.querySelectorAll<HTMLElement>('.fleet')];
      all[all.indexOf(frame.current!) + toGroup]?.focus();
    } else if (key in moves) setIndex(Math.min(total - 1, Math.max(0, at + moves[key as keyof typeof moves])));
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={frame}
      class="fleet"
      style={{ height: `${rows * pitch}px` }}
      role="slider"
      {...sliderOf({ label, last: total - 1, at: index, idle: 0, text })}
      tabIndex={group?.isStop === false ? -1 : 0}
      onPointerMove={follow}
      onPointerLeave={(event) => isLeft(event) && setIndex(undefined)}
      onFocus={() => {
        setIndex((former) => former ?? 0);
        group?.onFocus();
      }}
      onBlur={() => setIndex(undefined)}
      onKeyDown={step}
      onClick={open}
    >
      {width > 0 && (
        <svg width={columns * pitch} height={rows * pitch} aria-hidden="true">
          {runs.map((each) => (
            <path key={each.state} class={`slot-${each.state}`} d={pathOfRun(each, laid)} />
          ))}
          {index !== undefined && (
            <rect
              class="slot-cursor"
              x={(index % columns) * pitch - 1}
              y={Math.floor(index / columns) * pitch - 1}
              width={pitch}
              height={pitch}
            />
          )}
        </svg>
      )}
      {index !== undefined && width > 0 && (
        <Tip at={(((index % columns) + 0.5) * pitch) / width}>
          <strong>{text}</strong>
          {run?.monitorsPerCell === 1 && monitor?.url && <span>{monitor.url}</span>}
        </Tip>
      )}
    </div>
  );
}

/** The monitor at a place of the list, once somebody looks at it for a moment. */
function useMonitorAt(place: ReturnType<typeof placeInList> | undefined): MonitorView | undefined {
  const wanted = place ? JSON.stringify(place.query) : '';
  const asked = useLater(wanted, PAUSE_MS);
  const { data } = useResource<MonitorView[]>(
    asked === '' ? null : '/api/v1/monitor',
    asked === '' ? undefined : (JSON.parse(asked) as NonNullable<typeof place>['query']),
  );
  return asked === wanted && place ? data?.[place.at] : undefined;
}

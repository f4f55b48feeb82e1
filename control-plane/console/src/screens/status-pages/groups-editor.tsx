import { PUBLIC_LOOKS } from '@watchpost/shared/design/states';
import { show } from '../../parts/dialog.js';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { pathTo } from '../../data/session.js';
import { Button, Movers, Icon } from '../../parts/button.js';
import { Select } from '../../parts/inputs.js';
import { Field } from '../../parts/form.js';
import type { FormModel } from '../../parts/use-form.js';
import { AddSystems } from './add-systems.js';
import {
  keyOf,
  placeGroup,
  placeSystem,
  placeText,
  stepSystem,
  type EditedGroup,
  type EditedSystem,
  type PageValues,
} from './page-values.js';

const MOST_GROUPS = 50;
const OVERRIDES = [
  { value: '', label: 'From its checks' },
  ...Object.entries(PUBLIC_LOOKS).flatMap(([value, { word: label }]) => (value === 'unknown' ? [] : { value, label })),
];

type Dragged = { group: number } | { system: string };

/** Beside which system what is dragged would come to lie. */
interface Target {
  system: string;
  isAfter: boolean;
}

/** Groups and their systems in order. Everything that dragging does, buttons and Alt with the arrow keys do too. */
export function GroupsEditor({ form }: { form: FormModel<PageValues> }) {
  const { groups } = form.values.value;
  const own = useRef<HTMLElement>(null);
  const focus = useRef<{ id: string | number; by: 1 | -1 }>(undefined);
  const dragged = useRef<Dragged>(undefined);
  const [target, setTarget] = useState<Target>();
  const [news, setNews] = useState('');
  const put = (next: EditedGroup[]) => form.set('groups', next);

  // What moved keeps focus, on the button that moved it.
  useLayoutEffect(() => {
    if (focus.current === undefined) return;
    const { id, by } = focus.current;
    own.current?.querySelector<HTMLElement>(`[data-mover="${id}"] > :${by < 0 ? 'first' : 'last'}-child`)?.focus();
    focus.current = undefined;
  });

  const moveSystem = (key: string, by: 1 | -1) => {
    const next = stepSystem(groups, key, by);
    focus.current = { id: key, by };
    put(next);
    setNews(placeText(next, key));
  };
  const moveGroup = (index: number, by: 1 | -1) => {
    const next = placeGroup(groups, index, index + by);
    if (next[index + by] === undefined) return;
    focus.current = { id: index + by, by };
    put(next);
    setNews(`${groups[index]!.name} is group ${index + by + 1} of ${groups.length}`);
  };
  const endDrag = () => {
    dragged.current = undefined;
    setTarget(undefined);
  };
  const drop = (toGroup: number, beside?: Target) => {
    const what = dragged.current;
    endDrag();
    if (what === undefined) return;
    if ('group' in what) put(placeGroup(groups, what.group, toGroup));
    else if (what.system !== beside?.system) {
      const others = groups[toGroup]!.systems.filter((system) => keyOf(system) !== what.system);
      const at = others.findIndex((system) => keyOf(system) === beside?.system);
      put(placeSystem(groups, what.system, toGroup, at < 0 ? others.length : at + Number(beside!.isAfter)));
    }
  };
  const takesDrop = (toGroup: number, system?: string) => {
    const targetOf = ({ clientY, currentTarget }: DragEvent): Target | undefined => {
      if (system === undefined) return undefined;
      const { top, height } = (currentTarget as HTMLElement).getBoundingClientRect();
      return { system, isAfter: clientY > top + height / 2 };
    };
    return {
      onDragOver: (event: DragEvent) => {
        if (dragged.current === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        const next = 'system' in dragged.current ? targetOf(event) : undefined;
        if (next?.system !== target?.system || next?.isAfter !== target?.isAfter) setTarget(next);
      },
      onDrop: (event: DragEvent) => {
        event.preventDefault();
        event.stopPropagation();
        drop(toGroup, targetOf(event));
      },
    };
  };

  return (
    <section ref={own} class="stack" aria-label="Systems" onDragEnd={endDrag}>
      <p class="unseen" role="status">
        {news}
      </p>
      {groups.map((group, index) => (
        <div key={index} class="card status-pages-group lines gap-2 pad-3" {...takesDrop(index)}>
          <header class="status-pages-row lines center gap-1">
            <Handle onStart={() => (dragged.current = { group: index })} />
            <Field name={`groups.${index}.name`} label={`Name of group ${index + 1}`} />
            <span class="contents" data-mover={index}>
              <Movers
                name={group.name}
                isFirst={index === 0}
                isLast={index === groups.length - 1}
                onMove={(by) => moveGroup(index, by)}
              />
            </span>
            <Button
              look="plain"
              icon="trash"
              label={`Remove ${group.name} with its systems`}
              onClick={() => put(groups.toSpliced(index, 1))}
            />
          </header>
          <ul class="list">
            {group.systems.map((system, place) => (
              <SystemRow
                key={keyOf(system)}
                system={system}
                path={`groups.${index}.systems.${place}`}
                form={form}
                isFirst={index === 0 && place === 0}
                isLast={index === groups.length - 1 && place === group.systems.length - 1}
                onDrag={() => (dragged.current = { system: keyOf(system) })}
                onMove={(by) => moveSystem(keyOf(system), by)}
                onRemove={() =>
                  put(groups.with(index, { ...group, systems: group.systems.filter((each) => each !== system) }))
                }
                target={takesDrop(index, keyOf(system))}
                mark={target?.system === keyOf(system) ? (target.isAfter ? ' drops-after' : ' drops-before') : ''}
              />
            ))}
          </ul>
          <Button
            text="Add systems"
            look="plain"
            icon="plus"
            onClick={() => show(<AddSystems form={form} index={index} />)}
          />
        </div>
      ))}
      {groups.length < MOST_GROUPS && (
        <div>
          <Button text="Add a group" icon="plus" onClick={() => put([...groups, { name: 'New group', systems: [] }])} />
        </div>
      )}
    </section>
  );
}

interface SystemRowProps {
  system: EditedSystem;
  path: string;
  form: FormModel<PageValues>;
  isFirst: boolean;
  isLast: boolean;
  onDrag: () => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
  target: object;
  /** The class that shows where what is dragged would come to lie. */
  mark: string;
}

function SystemRow({ system, path, form, isFirst, isLast, onDrag, onMove, onRemove, target, mark }: SystemRowProps) {
  const { monitorId, overrideStatus, name } = system;
  return (
    <li
      class={`status-pages-system${mark}`}
      {...target}
      onKeyDown={(event) => {
        const by = event.altKey ? ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key] : undefined;
        if (by === undefined) return;
        event.preventDefault();
        onMove(by);
      }}
    >
      <div class="status-pages-row lines center gap-1">
        <Handle onStart={onDrag} />
        <Field name={`${path}.name`} label={`Name of ${name || 'the system'}`} />
        <span class="contents" data-mover={keyOf(system)}>
          <Movers name={name} isFirst={isFirst} isLast={isLast} onMove={onMove} />
        </span>
        <Button look="plain" icon="close" label={`Remove ${name}`} onClick={onRemove} />
      </div>
      <details class="status-pages-override" open={overrideStatus !== null || undefined}>
        <summary class="soft small">
          {monitorId === null ? 'A service group' : 'A monitor'}
          {overrideStatus === null ? ', status from its checks' : ', status set by hand'}
        </summary>
        <div class="stack">
          <Field name={`${path}.overrideStatus`} label="Status">
            {(control) => <Select isNullable control={control} options={OVERRIDES} />}
          </Field>
          <Field
            name={`${path}.overrideMessage`}
            label="Message"
            placeholder="We are back at noon."
            hint="Below the name, for as long as it is here."
          />
          {monitorId !== null && <a href={pathTo(`/monitors/${monitorId}`)}>Open the monitor</a>}
          {overrideStatus !== null && (
            <div>
              <Button text="Take it from the checks again" onClick={() => form.set(`${path}.overrideStatus`, null)} />
            </div>
          )}
        </div>
      </details>
    </li>
  );
}

/** To drag with a mouse. The buttons beside it do the same. */
function Handle({ onStart }: { onStart: () => void }) {
  return (
    <span
      class="status-pages-handle lines soft"
      draggable
      aria-hidden="true"
      title="Drag to order"
      onDragStart={(event) => {
        event.dataTransfer!.effectAllowed = 'move';
        event.dataTransfer!.setData('text/plain', '');
        onStart();
      }}
    >
      <Icon name="grip" />
    </span>
  );
}

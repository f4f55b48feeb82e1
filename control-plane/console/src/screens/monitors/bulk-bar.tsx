import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { BulkResult } from '@watchpost/control-plane/capabilities/monitors/bulk-schemas';
import { type BulkChange, changeMonitors, confirmChange, pause } from '../../frame/acting.js';
import { toastFault } from '../../frame/toasts.js';
import { ask, ConfirmDialog, show } from '../../parts/dialog.js';
import { Button } from '../../parts/button.js';
import { TagsInput } from '../../parts/pickers.js';
import { countText } from '../../parts/format.js';
import { BulkSettings } from './bulk-settings.js';

interface BulkBarProps {
  selected: Signal<ReadonlySet<string>>;
  pageIds: readonly string[];
  /** How many match the filter, on all pages. */
  total: number;
  /** What all that match have in common; undefined without a filter, because a change of everything is refused. */
  filter: Record<string, unknown> | undefined;
  names: ReadonlyMap<string, string>;
}

const DONE = {
  resume: 'Resumed',
  addTags: 'Tagged',
  removeTags: 'Removed tags of',
  update: 'Changed',
  delete: 'Deleted',
} as const;
type Action = keyof typeof DONE;
const confirm = (action: Action, result: BulkResult, undo?: () => Promise<unknown>) =>
  confirmChange(DONE[action], countText(result.changed, 'monitor'), result, undo);

/** Takes back the change of one tag, which all that changed did not have, or had. */
const OPPOSITE = { addTags: 'removeTags', removeTags: 'addTags' } as const;

/** The actions for the selected monitors. */
export function BulkBar({ selected, pageIds, total, filter, names }: BulkBarProps) {
  // The selection at which all that match were asked for: any other is just what it names.
  const [whole, setWhole] = useState<ReadonlySet<string>>();
  const ids = [...selected.value];
  const isWholePage = pageIds.length > 0 && pageIds.every((id) => selected.value.has(id));
  const isAll = isWholePage && whole === selected.value;
  const count = isAll ? total : ids.length;

  const subject = isAll ? { filter } : { monitorIds: ids };
  const run = async (action: Action, extra: Pick<BulkChange, 'tags' | 'settings'> = {}) => {
    const result = await changeMonitors(subject, { action, ...extra });
    selected.value = new Set();
    const { monitorIds } = result;
    const undo = async () => {
      const opposite = OPPOSITE[action as keyof typeof OPPOSITE];
      confirm(opposite, await changeMonitors({ monitorIds }, { action: opposite, ...extra }));
    };
    confirm(action, result, action in OPPOSITE && extra.tags?.length === 1 ? undo : undefined);
  };
  const what = count === 1 && !isAll ? (names.get(ids[0]!) ?? '1 monitor') : countText(count, 'monitor');

  const pauseThem = () => {
    const turn = async (work: () => Promise<void>) => {
      await work();
      selected.value = new Set();
    };
    void pause(subject, what, turn).catch(toastFault);
  };

  const tag = (action: Action, verb: string, preposition: string) =>
    show(
      <TagsDialog
        title={`${verb} tags ${preposition} ${what}`}
        action={verb}
        onConfirm={(tags) => run(action, { tags })}
      />,
    );

  const remove = () =>
    ask({
      title: `Delete ${what}?`,
      action: 'Delete',
      typedName: count === 1 ? what : String(count),
      consequences: [
        'Checks stop at once, and results are deleted. Open incidents are closed for good and stay in the history.',
        'Status pages, reports and service groups no longer contain them.',
        'This cannot be undone.',
      ],
      onConfirm: () => run('delete'),
    });

  return (
    <div class="bulk wrap center gap-2-4 below-3" role="region" aria-label="Selected monitors">
      <strong class="num">{countText(count, 'monitor')} selected</strong>
      {isWholePage && !isAll && filter !== undefined && total > ids.length && (
        <Button text={`Select all ${total} that match`} look="plain" onClick={() => setWhole(selected.value)} />
      )}
      <span class="push wrap gap-2">
        <Button text="Pause" icon="pause" onClick={pauseThem} />
        <Button text="Resume" icon="play" onClick={() => void run('resume').catch(toastFault)} />
        <Button text="Add tags" icon="tag" onClick={() => tag('addTags', 'Add', 'to')} />
        <Button text="Remove tags" onClick={() => tag('removeTags', 'Remove', 'from')} />
        <Button
          text="Change settings"
          onClick={() =>
            show(<BulkSettings what={what} subject={subject} onChange={(settings) => run('update', { settings })} />)
          }
        />
        <Button text="Delete" icon="trash" look="danger" onClick={remove} />
        <Button look="plain" icon="close" label="Select none" onClick={() => (selected.value = new Set())} />
      </span>
    </div>
  );
}

function TagsDialog(props: { title: string; action: string; onConfirm: (tags: string[]) => Promise<void> }) {
  const { onConfirm, ...shown } = props;
  const [tags, setTags] = useState<string[]>([]);
  return (
    <ConfirmDialog {...shown} isDanger={false} onConfirm={() => onConfirm(tags)}>
      <div class="field">
        <label class="field-label" for="bulk-tags">
          Tags
        </label>
        <TagsInput
          control={{
            label: 'Tags',
            value: tags,
            set: (next) => setTags(next as string[]),
            attributes: { id: 'bulk-tags' },
          }}
          placeholder="team:web, env:prod"
        />
      </div>
    </ConfirmDialog>
  );
}

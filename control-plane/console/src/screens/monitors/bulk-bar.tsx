import type { Signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import type { BulkResult } from '@watchpost/control-plane/capabilities/monitors/bulk-schemas';
import { type BulkChange, changeMonitors, confirmChange, pause } from '../../frame/acting.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { ask, ConfirmDialog, show } from '../../parts/dialog.js';
import { Button } from '../../parts/button.js';
import { TagsInput } from '../../parts/pickers.js';
import { countText } from '../../parts/format.js';
import { BulkMove } from './bulk-move.js';
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
  attachActionGroup: 'Channel added to',
  detachActionGroup: 'Channel removed from',
  addToMaintenance: 'Added to the window:',
  removeFromMaintenance: 'Taken out of the window:',
  delete: 'Deleted',
} as const;
type Action = keyof typeof DONE;
const confirm = (action: Action, result: BulkResult, undo?: () => Promise<unknown>) =>
  confirmChange(DONE[action], countText(result.changed, 'monitor'), result, undo);

/** Each takes back the other, of what all that changed did not have, or had. */
const OPPOSITE = {
  addTags: 'removeTags',
  removeTags: 'addTags',
  attachActionGroup: 'detachActionGroup',
  detachActionGroup: 'attachActionGroup',
  addToMaintenance: 'removeFromMaintenance',
  removeFromMaintenance: 'addToMaintenance',
} as const;
const isReversible = (action: Action): action is keyof typeof OPPOSITE => action in OPPOSITE;

async function giveBack({ former = [] }: BulkResult): Promise<void> {
  for (const { settings, monitorIds } of former) await changeMonitors({ monitorIds }, { action: 'update', settings });
  toast(`Changed back: ${countText(former.flatMap(({ monitorIds }) => monitorIds).length, 'monitor')}`);
}

export function BulkBar({ selected, pageIds, total, filter, names }: BulkBarProps) {
  // The selection at which all that match were asked for: any other is just what it names.
  const [whole, setWhole] = useState<ReadonlySet<string>>();
  const ids = [...selected.value];
  const isWholePage = pageIds.length > 0 && pageIds.every((id) => selected.value.has(id));
  const isAll = isWholePage && filter !== undefined && whole === selected.value;
  const count = isAll ? total : ids.length;

  const subject = isAll ? { filter } : { monitorIds: ids };
  const run = async ({ action, ...extra }: BulkChange & { action: Action }) => {
    const result = await changeMonitors(subject, { action, ...extra }, action === 'delete' ? count : undefined);
    selected.value = new Set();
    const { monitorIds } = result;
    const reverse = async () => {
      const opposite = OPPOSITE[action as keyof typeof OPPOSITE];
      confirm(opposite, await changeMonitors({ monitorIds }, { action: opposite, ...extra }));
    };
    // Each of several monitors may have had other tags already.
    const undo =
      action === 'update'
        ? () => giveBack(result)
        : isReversible(action) && (extra.tags?.length ?? 1) === 1
          ? reverse
          : undefined;
    confirm(action, result, undo);
  };
  const what = count === 1 && !isAll ? (names.get(ids[0]!) ?? '1 monitor') : countText(count, 'monitor');

  const pauseThem = () => {
    const turn = async (work: () => Promise<void>) => {
      await work();
      selected.value = new Set();
    };
    void pause(subject, what, turn).catch(toastFault);
  };

  const tag = (action: 'addTags' | 'removeTags', verb: string, preposition: string) =>
    show(
      <TagsDialog
        title={`${verb} tags ${preposition} ${what}`}
        action={verb}
        onConfirm={(tags) => run({ action, tags })}
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
      onConfirm: () => run({ action: 'delete' }),
    });

  return (
    <div class="bulk wrap center gap-2-4 below-3" role="region" aria-label="Selected monitors">
      <strong class="num">{countText(count, 'monitor')} selected</strong>
      {isWholePage && !isAll && filter !== undefined && total > ids.length && (
        <Button text={`Select all ${total} that match`} look="plain" onClick={() => setWhole(selected.value)} />
      )}
      <span class="push wrap gap-2">
        <Button text="Pause" icon="pause" onClick={pauseThem} />
        <Button text="Resume" icon="play" onClick={() => void run({ action: 'resume' }).catch(toastFault)} />
        <Button text="Add tags" icon="tag" onClick={() => tag('addTags', 'Add', 'to')} />
        <Button text="Remove tags" onClick={() => tag('removeTags', 'Remove', 'from')} />
        <Button
          text="Change settings"
          onClick={() =>
            show(
              <BulkSettings
                what={what}
                subject={subject}
                onChange={(settings) => run({ action: 'update', settings })}
              />,
            )
          }
        />
        {(['Channel', 'Maintenance'] as const).map((kind) => (
          <Button
            key={kind}
            text={kind}
            icon={kind === 'Channel' ? 'alerts' : 'maintenance'}
            onClick={() =>
              show(
                <BulkMove
                  kind={kind}
                  what={what}
                  subject={subject}
                  first={ids[0]!}
                  onChange={run}
                  onDone={() => (selected.value = new Set())}
                />,
              )
            }
          />
        ))}
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

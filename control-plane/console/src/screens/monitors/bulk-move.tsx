import type { ActionGroupView } from '@watchpost/control-plane/capabilities/recipients/groups/action-group-schemas';
import type { WindowView } from '@watchpost/control-plane/capabilities/maintenance/maintenance-schemas';
import { useState } from 'preact/hooks';
import { WHOLE } from '../../data/address.js';
import { change, useResource } from '../../data/resources.js';
import { type BulkChange, changeMonitors, type Subject } from '../../frame/acting.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { ConfirmDialog } from '../../parts/dialog.js';
import { Choice, Labelled, named } from '../../parts/inputs.js';
import { LENGTHS, MAINTENANCE_WINDOWS } from '../monitor/maintenance.js';
import { BulkPreview } from './bulk-preview.js';

/** A change by which each of the monitors gets something, or loses it. */
type Move = BulkChange & {
  action: 'attachActionGroup' | 'detachActionGroup' | 'addToMaintenance' | 'removeFromMaintenance';
};

interface BulkMoveProps {
  kind: 'Channel' | 'Maintenance';
  what: string;
  subject: Subject;
  /** One of the monitors, with which a new window begins. */
  first: string;
  onChange: (move: Move) => Promise<unknown>;
  onDone: () => void;
}

/** A channel or maintenance window that many monitors are added to at once, or taken out of; a window may be new. */
export function BulkMove({ kind, what, subject, first, onChange, onDone }: BulkMoveProps) {
  const isChannel = kind === 'Channel';
  const groups = useResource<ActionGroupView[]>(isChannel ? '/api/v1/action-groups' : null, WHOLE);
  const windows = useResource<WindowView[]>(isChannel ? null : MAINTENANCE_WINDOWS, WHOLE);
  const [direction, setDirection] = useState('add');
  const [chosen, setChosen] = useState('');
  const isAdded = direction === 'add';
  const open = windows.data?.filter(({ state }) => state !== 'finished');
  const options = isChannel
    ? named(groups.data)
    : [
        ...named(open),
        ...(isAdded ? Object.entries(LENGTHS) : []).map(([value, length]) => ({
          value,
          label: `New, from now for ${length}`,
        })),
      ];
  const target = options.some(({ value }) => value === chosen) ? chosen : '';
  const isNew = target in LENGTHS;
  const moveTo = (id: string): Move =>
    isChannel
      ? { action: isAdded ? 'attachActionGroup' : 'detachActionGroup', actionGroupId: id }
      : { action: isAdded ? 'addToMaintenance' : 'removeFromMaintenance', maintenanceWindowId: id };
  const confirm = async () => {
    if (!isNew) {
      await onChange(moveTo(target));
      return;
    }
    const body = { name: `Maintenance of ${what}`, startsAt: 'now', duration: target, scope: { monitorIds: [first] } };
    const { id } = (await change<WindowView>('POST', MAINTENANCE_WINDOWS, { body })).body;
    const remove = () => change('DELETE', `${MAINTENANCE_WINDOWS}/${id}`);
    try {
      await changeMonitors(subject, moveTo(id));
    } catch (error) {
      await remove();
      throw error;
    }
    onDone();
    toast(`In maintenance for ${LENGTHS[target as keyof typeof LENGTHS]}: ${what}`, {
      label: 'Undo',
      run: () => void remove().catch(toastFault),
    });
  };
  return (
    <ConfirmDialog
      title={`${kind} of ${what}`}
      action={isAdded ? 'Add' : 'Remove'}
      isDanger={false}
      needs={[isChannel ? groups : windows]}
      isReady={target !== ''}
      onConfirm={confirm}
    >
      <Choice
        label="Add or remove"
        options={[
          { value: 'add', label: 'Add' },
          { value: 'remove', label: 'Remove' },
        ]}
        value={direction}
        onChange={setDirection}
      />
      <Labelled label={isChannel ? 'Channel' : 'Window'}>
        <Choice options={[{ value: '', label: 'Choose one' }, ...options]} value={target} onChange={setChosen} />
      </Labelled>
      {!isNew && <BulkPreview subject={subject} change={target === '' ? undefined : moveTo(target)} />}
    </ConfirmDialog>
  );
}

import type { EditConflict } from '../data/compare-edits.js';
import { Button } from './button.js';
import { ChangesTable } from './changes-table.js';

interface ConflictNoteProps {
  conflicts: readonly EditConflict[];
  /** What fields are called on the screen, by path. */
  names: ReadonlyMap<string, string>;
  /** Saves mine over theirs. */
  onKeepMine: () => void;
  /** Takes theirs in the named fields, and keeps my other edits. */
  onTakeTheirs: () => void;
}

/** Somebody else saved meanwhile (412): both values field by field. Nothing of mine is lost. */
export function ConflictNote({ conflicts, names, onKeepMine, onTakeTheirs }: ConflictNoteProps) {
  return (
    <div class="note note-partial" role="alert">
      <p>
        <strong>Somebody else saved this while you were editing.</strong>{' '}
        {conflicts.length === 0 ? 'You changed different fields. Save again to keep both.' : 'These fields differ:'}
      </p>
      {conflicts.length > 0 && (
        <ChangesTable
          class="conflicts"
          heads={['Yours', 'Theirs']}
          rows={conflicts.map(({ path, mine, theirs }) => ({ name: names.get(path) ?? path, values: [mine, theirs] }))}
        />
      )}
      <div class="row">
        <Button look="primary" onClick={onKeepMine}>
          {conflicts.length === 0 ? 'Save again' : 'Keep mine'}
        </Button>
        {conflicts.length > 0 && <Button onClick={onTakeTheirs}>Take theirs</Button>}
      </div>
    </div>
  );
}

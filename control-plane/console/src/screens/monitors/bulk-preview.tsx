import { useEffect, useState } from 'preact/hooks';
import type { BulkResult } from '@watchpost/control-plane/capabilities/monitors/bulk-schemas';
import { asFault } from '../../data/api-fault.js';
import { type BulkChange, previewChange, type Subject } from '../../frame/acting.js';
import { countText } from '../../parts/format.js';
import { useLater } from '../../parts/use-later.js';

/** The most different former settings that are shown. */
const SHOWN = 3;

interface BulkPreviewProps {
  subject: Subject;
  /** undefined: nothing is chosen yet. */
  change: BulkChange | undefined;
  /** Puts the settings that some of them have into words. */
  describe?: (former: Record<string, unknown>) => string;
}

/** Shows how many monitors a change is about, and what they have until now, or why it would be refused. */
export function BulkPreview({ subject, change, describe }: BulkPreviewProps) {
  const [result, setResult] = useState<BulkResult | string>('');
  const chosen = useLater(JSON.stringify(change) ?? '');
  useEffect(() => {
    let isLatest = true;
    const show = (next: BulkResult | string) => isLatest && setResult(next);
    if (chosen === '') show('Nothing is chosen yet.');
    else
      previewChange(subject, JSON.parse(chosen) as BulkChange).then(show, (error: unknown) =>
        show(asFault(error).sentences.join(' ')),
      );
    return () => void (isLatest = false);
  }, [chosen]);
  const { former = [] } = typeof result === 'string' ? {} : result;
  return (
    <div class="soft num" role="status">
      <p>
        {typeof result === 'string'
          ? result || '\u00a0'
          : `${countText(result.changed, 'monitor')} of ${result.matched} will change.`}
      </p>
      {describe && former.length > 0 && (
        <p class="small">
          Until now:{' '}
          {former
            .slice(0, SHOWN)
            .map(({ settings, monitorIds }) => `${monitorIds.length} × ${describe(settings)}`)
            .join('; ')}
          {former.length > SHOWN && `; ${former.length - SHOWN} others`}
        </p>
      )}
    </div>
  );
}

import type { MonitorView } from '@watchpost/control-plane/capabilities/monitors/monitor-schemas';
import { PING_SNIPPETS } from '@watchpost/shared/ping-snippets';
import { useState } from 'preact/hooks';
import { change } from '../../data/change.js';
import { toast } from '../../frame/toasts.js';
import { Button } from '../../parts/button.js';
import { CopyButton } from '../../parts/copy-button.js';
import { ConfirmDialog } from '../../parts/dialog.js';

/** Where the job reports, and how: ready to paste. */
export function PingUrlSection({ monitor: { id, name, heartbeat } }: { monitor: MonitorView }) {
  const [isRotating, setRotating] = useState(false);
  const [shown, setShown] = useState(0);
  const pingUrl = heartbeat?.pingUrl ?? null;
  if (pingUrl === null) {
    return <p class="card card-body soft">Editors and above see the ping URL: who knows it can report.</p>;
  }
  const snippet = PING_SNIPPETS[shown]!;
  const text = snippet.text.replaceAll('PING_URL', pingUrl);
  return (
    <div class="card card-body stack">
      <p class="ping-url">
        <code>{pingUrl}</code>
        <CopyButton text={pingUrl} label="Copy URL" />
        <Button icon="refresh" onClick={() => setRotating(true)}>
          Replace
        </Button>
      </p>
      <p class="soft small">
        Call it after a success, with /fail or the exit code behind it after a failure, and with /start when a run
        begins. Treat it like a password.
      </p>
      <div class="ping-snippet">
        <select
          class="input"
          aria-label="How the job runs"
          value={shown}
          onChange={(event) => setShown(Number(event.currentTarget.value))}
        >
          {PING_SNIPPETS.map(({ title }, index) => (
            <option key={title} value={index}>
              {title}
            </option>
          ))}
        </select>
        <CopyButton text={text} label="Copy snippet" />
        <pre>{text}</pre>
      </div>
      {isRotating && (
        <ConfirmDialog
          title={`Replace the ping URL of ${name}?`}
          action="Replace"
          consequences={[
            'The present URL is refused at once.',
            'The job has to be given the new one before its next run, or it counts as late.',
          ]}
          onConfirm={async () => {
            await change('POST', `/api/v1/monitor/${id}/heartbeat/rotate`);
            toast(`New ping URL: ${name}`);
          }}
          onClose={() => setRotating(false)}
        />
      )}
    </div>
  );
}

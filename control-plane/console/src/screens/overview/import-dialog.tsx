import { useRef, useState } from 'preact/hooks';
import type { ConfigPlan } from '@watchpost/control-plane/capabilities/documents/document-schemas';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { request } from '../../data/api.js';
import { change } from '../../data/resources.js';
import { toast } from '../../frame/toasts.js';
import { Button, CopyButton } from '../../parts/button.js';
import { Dialog, useClose } from '../../parts/dialog.js';
import { countText } from '../../parts/format.js';
import { Labelled } from '../../parts/inputs.js';
import { FaultNote } from '../../parts/loaded.js';

const FROM_KUMA = 'watchpost import uptime-kuma kuma.db --with-secrets > watchpost.yaml';
const DEADLINE_MS = 60_000;
const SHOWN = 20;

/** Brings a configuration document into the workspace: what it would change is shown before it does. */
export function ImportDialog() {
  const close = useClose();
  const [{ document, plan }, setPlanned] = useState<{ document?: string; plan?: ConfigPlan }>({});
  const latest = useRef<File>(undefined);
  const [fault, setFault] = useState<ApiFault>();
  const [isBusy, setBusy] = useState(false);
  const send = async (run: () => Promise<void>) => {
    setBusy(true);
    setFault(undefined);
    try {
      await run();
    } catch (error) {
      setFault(asFault(error));
    } finally {
      setBusy(false);
    }
  };
  const choose = (file: File | undefined) =>
    file &&
    send(async () => {
      latest.current = file;
      setPlanned({});
      const body = { document: await file.text() };
      const planned = await request<ConfigPlan>('POST', '/api/v1/config/plan', { body, deadlineMs: DEADLINE_MS });
      // The file that was chosen last is imported, and is shown.
      if (latest.current === file) setPlanned({ ...body, plan: planned.body });
    });
  const apply = () =>
    send(async () => {
      const body = { document, expectedVersion: plan!.version };
      const { summary } = (await change<ConfigPlan>('POST', '/api/v1/config/apply', { body, deadlineMs: DEADLINE_MS }))
        .body;
      toast(`Imported: ${countText(summary.create, 'thing')} made, ${summary.update} changed.`);
      close();
    });
  const changes = plan?.changes.filter(({ action }) => action === 'create' || action === 'update') ?? [];
  return (
    <Dialog title="Bring what you have">
      <Labelled label="A configuration document (YAML or JSON)">
        <input
          class="input"
          type="file"
          accept=".yaml,.yml,.json"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </Labelled>
      {fault && <FaultNote fault={fault} />}
      {plan && (
        <section class="lines gap-2" aria-label="What it changes">
          <p>
            {changes.length === 0
              ? 'All of it is here already.'
              : `It makes ${countText(plan.summary.create, 'thing')} and changes ${plan.summary.update}.`}
          </p>
          <ul class="indent lines gap-1">
            {changes.slice(0, SHOWN).map(({ action, kind, key }) => (
              <li key={`${kind} ${key}`}>
                {action} {kind} <strong>{key}</strong>
              </li>
            ))}
            {changes.length > SHOWN && <li class="soft">and {changes.length - SHOWN} more</li>}
          </ul>
          {plan.warnings.map((warning) => (
            <p key={warning} class="note note-partial">
              {warning}
            </p>
          ))}
        </section>
      )}
      <div class="lines gap-2">
        <p class="soft">
          From Uptime Kuma: make the document of its database with the command line, then choose it here.
        </p>
        <pre class="flush sunken pad-2-3 pre">{FROM_KUMA}</pre>
        <div class="row">
          <CopyButton text={FROM_KUMA} label="Copy the command" />
        </div>
      </div>
      <div class="wrap gap-2">
        {changes.length > 0 && <Button text="Import" look="primary" isBusy={isBusy} onClick={() => void apply()} />}
        <Button text="Cancel" onClick={close} />
      </div>
    </Dialog>
  );
}

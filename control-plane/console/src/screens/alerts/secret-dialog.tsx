import { CopyButton, ReadOnly } from '../../parts/copy-button.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';

/** The signing secret of a webhook, which is shown once. */
export function SecretDialog(props: { secret: string; isRotated?: boolean; onClose: () => void }) {
  const { secret, isRotated = false, onClose } = props;
  return (
    <Dialog title="Signing secret" onClose={onClose}>
      <p>
        Messages are signed with it (Standard Webhooks), so that your receiver can be sure of who sent them. It is shown
        only now: keep it.
      </p>
      {isRotated && <p>The former secret signs them too for 24 hours, so that you can switch.</p>}
      <ReadOnly label="Signing secret" value={secret} />
      <div class="row">
        <CopyButton text={secret} label="Copy the secret" />
        <Button look="primary" onClick={onClose}>
          I have kept it
        </Button>
      </div>
    </Dialog>
  );
}

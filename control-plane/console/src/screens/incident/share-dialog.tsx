import { useState } from 'preact/hooks';
import { change, useResource } from '../../data/resources.js';
import { toast, toastFault } from '../../frame/toasts.js';
import { Button, CopyButton } from '../../parts/button.js';
import { ask, Dialog, useClose } from '../../parts/dialog.js';
import { countText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';

interface Link {
  url: string;
  expiresAt: string | null;
}

/** Makes a link to the evidence for people without an account, and revokes all such links. */
export function ShareDialog({ incidentId }: { incidentId: string }) {
  const close = useClose();
  const path = `/api/v1/incident/${incidentId}/evidence-links`;
  const links = useResource<{ id: string; channel: string }[]>(path);
  const [link, setLink] = useState<Link>();
  const [isBusy, setBusy] = useState(false);
  const count = links.data?.length ?? 0;
  const make = () => {
    setBusy(true);
    void change<Link>('POST', path)
      .then(({ body }) => setLink(body), toastFault)
      .finally(() => setBusy(false));
  };
  const revoke = () =>
    ask({
      title: 'Revoke all links to the evidence?',
      action: 'Revoke',
      consequences: [
        'Nobody can open the evidence by a link that was shared or sent in a message about this incident.',
        'Later messages about it carry new links. Members of the workspace still see it here.',
      ],
      onConfirm: () =>
        change('DELETE', path).then(() => {
          setLink(undefined);
          toast('All links to the evidence are revoked.');
        }),
    });
  return (
    <Dialog title="Share the evidence">
      <div class="stack">
        <p>
          Anyone with this link can read the evidence, without signing in. Credentials in it are masked, and addresses
          of people are left out.
        </p>
        {link && (
          <>
            <div class="row">
              <input class="input fill-14" readOnly value={link.url} aria-label="Link to the evidence" />
              <CopyButton text={link.url} label="Copy link" />
            </div>
            <p class="soft small">
              {link.expiresAt === null ? (
                'It works until 30 days after the incident is closed.'
              ) : Date.parse(link.expiresAt) < Date.now() ? (
                'It has expired: the incident was closed more than 30 days ago.'
              ) : (
                <Time at={link.expiresAt} as="moment" before="It works until " after="." />
              )}{' '}
              <a href={link.url} target="_blank" rel="noreferrer">
                Open it
              </a>
            </p>
          </>
        )}
        <footer class="wrap gap-2 to-right">
          {count > 0 && (
            <Button
              text={count > 1 ? `Revoke all ${countText(count, 'link')}` : 'Revoke the link'}
              look="danger"
              // A link that is still being made would outlive it.
              disabled={isBusy}
              onClick={revoke}
            />
          )}
          {link ? (
            <Button text="Done" onClick={close} />
          ) : (
            <Button text="Create link" look="primary" isBusy={isBusy} onClick={make} />
          )}
        </footer>
      </div>
    </Dialog>
  );
}

import { useEffect, useState } from 'preact/hooks';
import { asFault, type ApiFault } from '../../data/api-fault.js';
import { request } from '../../data/api.js';
import { change, useResource } from '../../data/resources.js';
import { toast } from '../../frame/toasts.js';
import { Button, CopyButton } from '../../parts/button.js';
import { ask, Dialog, useClose } from '../../parts/dialog.js';
import { FaultNote, Skeleton } from '../../parts/loaded.js';
import { countText } from '../../parts/format.js';
import { Time } from '../../parts/marks.js';

interface Link {
  url: string;
  expiresAt: string | null;
}

/** A link to the evidence for people without an account, and the end of all such links. */
export function ShareDialog({ incidentId }: { incidentId: string }) {
  const close = useClose();
  const path = `/api/v1/incident/${incidentId}/evidence-links`;
  const links = useResource<{ id: string; channel: string }[]>(path);
  const [link, setLink] = useState<Link>();
  const [fault, setFault] = useState<ApiFault>();
  useEffect(() => {
    request<Link>('POST', path).then(
      ({ body }) => setLink(body),
      (error: unknown) => setFault(asFault(error)),
    );
  }, [path]);

  const revoke = () =>
    ask({
      title: 'Revoke all links to the evidence?',
      action: 'Revoke',
      consequences: [
        'Nobody can open the evidence by a link that was shared or sent in a message about this incident.',
        'Later messages about it carry new links. Members of the workspace still see it here.',
      ],
      onConfirm: () => change('DELETE', path).then(() => toast('All links to the evidence are revoked.')),
    });
  return (
    <Dialog title="Share the evidence">
      <div class="stack">
        <p>
          Anyone with this link can read the evidence, without signing in. Credentials in it are masked, and addresses
          of people are left out.
        </p>
        {fault ? (
          <FaultNote fault={fault} />
        ) : link === undefined ? (
          <Skeleton rows={1} />
        ) : (
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
          <Button
            text={links.data && links.data.length > 1 ? `Revoke all ${countText(links.data.length, 'link')}` : 'Revoke'}
            look="danger"
            onClick={revoke}
          />
          <Button text="Done" onClick={close} />
        </footer>
      </div>
    </Dialog>
  );
}

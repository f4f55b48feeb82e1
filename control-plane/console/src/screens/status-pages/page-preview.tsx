import type { StatusPageView } from '@watchpost/control-plane/capabilities/status-pages/status-page-schemas';
import { useState } from 'preact/hooks';
import { workspaceId } from '../../data/session.js';
import { Button } from '../../parts/button.js';

/** The page as visitors see it, or will. It is drawn by the server, from what is saved. */
export function PagePreview({ page, isChanged }: { page: StatusPageView; isChanged: boolean }) {
  const [turn, setTurn] = useState(0);
  return (
    <section class="status-pages-preview card" aria-label="Preview">
      <header class="row between">
        <span class="soft small" role="status">
          {isChanged ? 'Save to see your changes here.' : 'As visitors see it.'}
        </span>
        <Button look="plain" icon="refresh" label="Draw it again" onClick={() => setTurn(turn + 1)} />
      </header>
      {/* Another key is another frame: a new address in the same one would be a step of the browser's history. */}
      <iframe
        key={`${page.lastModified} ${turn}`}
        title={`Preview of ${page.name}`}
        src={`/api/v1/workspaces/${workspaceId.value}/status-page/${page.id}/preview`}
        sandbox="allow-popups allow-popups-to-escape-sandbox"
        loading="lazy"
      />
    </section>
  );
}

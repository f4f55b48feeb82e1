import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { hasRole, pathTo } from '../../data/session.js';
import { Button } from '../../parts/button.js';
import { EmptyState } from '../../parts/loaded.js';
import { URL_ATTRIBUTES } from '../../parts/inputs.js';

/** One field, for a workspace that monitors nothing yet. */
export function FirstMonitor() {
  const { route } = useLocation();
  const [url, setUrl] = useState('');
  if (!hasRole('Editor')) {
    return (
      <EmptyState icon="monitors" title="Nothing is monitored yet">
        An editor of this workspace can add the first monitor.
      </EmptyState>
    );
  }
  return (
    <form
      class="first-monitor card"
      onSubmit={(event) => {
        event.preventDefault();
        if (url.trim() !== '') route(pathTo('/monitors/new', { url: url.trim() }));
      }}
    >
      <label class="large strong" for="first-url">
        Paste a URL to watch it
      </label>
      <p class="soft">It is tested at once. You see what was found before anything is saved.</p>
      <div class="first-monitor-field flex gap-2 above-3">
        <input
          id="first-url"
          {...URL_ATTRIBUTES}
          required
          value={url}
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
        <Button text="Test it" type="submit" look="primary" />
      </div>
    </form>
  );
}

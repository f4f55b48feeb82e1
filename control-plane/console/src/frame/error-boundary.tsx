import { Component, type ComponentChildren } from 'preact';
import { pathTo } from '../data/session.js';
import { Button } from '../parts/button.js';

interface Props {
  children: ComponentChildren;
  /** Another address is another try. */
  address: string;
}

/** Shows what failed in place of a screen, and the ways out. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state = { error: undefined as unknown };

  static override getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidUpdate(former: Props) {
    if (former.address !== this.props.address && this.state.error !== undefined) this.setState({ error: undefined });
  }

  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    // A screen of the former version is gone after an update of the server.
    const isOutdated = error instanceof TypeError && /import|module/i.test(error.message);
    return (
      <div class="empty lines gap-2" role="alert">
        <h1 tabIndex={-1}>{isOutdated ? 'There is a new version' : 'This screen failed'}</h1>
        <p class="soft">
          {isOutdated
            ? 'Watchpost was updated, or the connection broke while the screen loaded.'
            : 'The fault is ours. Monitoring and alerts are not affected.'}
        </p>
        {!isOutdated && <code>{error instanceof Error ? error.message : 'Unknown fault'}</code>}
        <div class="above-3 row">
          <Button text="Reload" look="primary" onClick={() => location.reload()} />
          <Button text="Overview" href={pathTo()} />
        </div>
      </div>
    );
  }
}

import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { Overview } from '@watchpost/control-plane/capabilities/overview/overview-schemas';
import { now } from '../data/clock.js';
import { connectionState, lastHeardMs, waitsUntilMs } from '../data/connection.js';
import { reconnectNow } from '../data/events.js';
import { sessionEnded, signInAddress } from '../data/session.js';
import { useResource } from '../data/resources.js';
import { Button } from '../parts/button.js';
import { clockText, countText, durationText } from '../parts/format.js';

/** The message that somebody has seen, so that it covers nothing any more. */
const hidden = signal<string>();

/** Is there only when something about ourselves is wrong. */
export function TroubleStrip() {
  const { data } = useResource<Overview>('/api/v1/overview');
  const problems = (data?.troubles ?? []).filter(({ level }) => level === 'problem');
  const waitMs = waitsUntilMs.value - now.value;
  if (sessionEnded.value) {
    return (
      <Strip look="unavailable">
        <span>You are signed out. What you entered is kept.</span>
        <Button text="Sign in again" href={signInAddress()} />
      </Strip>
    );
  }
  if (connectionState.value === 'lost') {
    return (
      <Strip look="unavailable">
        <span>
          Connection lost. Shown as of {clockText(lastHeardMs.value)}, {durationText(now.value - lastHeardMs.value)}{' '}
          ago. Trying again.
        </span>
        <Button text="Try now" onClick={reconnectNow} />
      </Strip>
    );
  }
  if (waitMs > 0) return <Strip look="partial">The server asks for a pause: {durationText(waitMs + 999)} to go.</Strip>;
  const [worst] = problems;
  if (worst === undefined || worst.message === hidden.value) return null;
  return (
    <Strip look="partial">
      <span>
        {worst.message}
        {problems.length > 1 && ` And ${countText(problems.length - 1, 'more problem')}.`}
      </span>
      <span class="row">
        {worst.link && <a href={worst.link}>Fix this</a>}
        <Button look="plain" icon="close" label="Hide" onClick={() => (hidden.value = worst.message)} />
      </span>
    </Strip>
  );
}

function Strip({ look, children }: { look: 'unavailable' | 'partial'; children: ComponentChildren }) {
  return (
    <div class={`strip wrap center between strip-${look}`} role="status">
      {children}
    </div>
  );
}

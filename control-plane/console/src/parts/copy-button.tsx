import { useState } from 'preact/hooks';
import { Button } from './button.js';

const SHOWN_MS = 2_000;

/** Copies a text, and shows that it did; where the browser refuses, the text is to be selected by hand. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [outcome, setOutcome] = useState<string>();
  const copy = async () => {
    const done = await navigator.clipboard.writeText(text).then(
      () => 'Copied',
      () => 'Select and copy it by hand',
    );
    setOutcome(done);
    setTimeout(() => setOutcome(undefined), SHOWN_MS);
  };
  return (
    <span role="status">
      <Button icon={outcome === 'Copied' ? 'check' : 'copy'} onClick={() => void copy()}>
        {outcome ?? label}
      </Button>
    </span>
  );
}

/** A text that is shown once; focus selects all of it. */
export function ReadOnly({ label, value }: { label: string; value: string }) {
  return (
    <input
      class="input mono"
      readOnly
      aria-label={label}
      value={value}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

import { CopyButton } from '../../parts/copy-button.js';

/** A text that is shown once, to be copied. */
export function Secret({ text, label }: { text: string; label: string }) {
  return (
    <div class="settings-secret">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </div>
  );
}

import { useId } from 'preact/hooks';
import type { Option } from './inputs.js';

interface SegmentedProps {
  /** It names for screen readers what is chosen. */
  label: string;
  options: readonly Option[];
  value: string | number | undefined;
  onChange: (value: string) => void;
}

/** One of a few short words, all of which are seen: radio buttons, with their keys, that look like one control. */
export function Segmented({ label, options, value, onChange }: SegmentedProps) {
  const name = useId();
  return (
    <span class="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(String(option.value))}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </span>
  );
}

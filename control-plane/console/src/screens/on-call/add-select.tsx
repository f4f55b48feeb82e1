import { Choice, type Option } from '../../parts/inputs.js';

interface AddSelectProps {
  /** What is chosen from: `Add somebody …`. */
  prompt: string;
  options: readonly Option[];
  onAdd: (value: string) => void;
  id?: string;
  label?: string;
}

/** Adds what is chosen, one at a time. */
export function AddSelect({ prompt, options, onAdd, ...attributes }: AddSelectProps) {
  return (
    <Choice
      {...attributes}
      options={[{ value: '', label: prompt }, ...options]}
      value=""
      onChange={(value, select) => {
        onAdd(value);
        select.value = '';
      }}
    />
  );
}

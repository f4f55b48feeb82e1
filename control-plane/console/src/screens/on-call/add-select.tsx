interface AddSelectProps {
  /** What is chosen from: `Add somebody …`. */
  prompt: string;
  options: readonly { value: string; label: string }[];
  onAdd: (value: string) => void;
  id?: string;
  label?: string;
}

/** Adds what is chosen, one at a time. */
export function AddSelect({ prompt, options, onAdd, id, label }: AddSelectProps) {
  return (
    <select
      id={id}
      class="input"
      aria-label={label}
      value=""
      onChange={({ currentTarget }) => {
        onAdd(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">{prompt}</option>
      {options.map(({ value, label: text }) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

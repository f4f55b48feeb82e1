export interface ShownGroup {
  id: string;
  name: string;
  type: string;
  isEnabled: boolean;
}

/** The action groups of the workspace, of which some are chosen. */
export function GroupChoices(props: {
  groups: readonly ShownGroup[];
  values: readonly string[];
  onChange: (values: string[]) => void;
  /** Those that a new monitor is given. */
  defaults?: readonly string[];
}) {
  const { groups, values, onChange, defaults = [] } = props;
  return (
    <fieldset class="choices monitor-groups">
      <legend class="field-label">Action groups</legend>
      {groups.map(({ id, name, type, isEnabled }) => (
        <label key={id} class="choice">
          <input
            type="checkbox"
            checked={values.includes(id)}
            onChange={() => onChange(values.includes(id) ? values.filter((each) => each !== id) : [...values, id])}
          />
          <span>
            {name}{' '}
            <span class="soft small">
              {type}
              {isEnabled ? '' : ', disabled'}
              {defaults.includes(id) ? ', default' : ''}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

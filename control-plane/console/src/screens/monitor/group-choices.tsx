import { Choices } from '../../parts/choices.js';

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
  const { groups, defaults = [], ...choice } = props;
  const options = groups.map(({ id, name, type, isEnabled }) => ({
    value: id,
    label: (
      <>
        {name}{' '}
        <span class="soft small">
          {type}
          {isEnabled ? '' : ', disabled'}
          {defaults.includes(id) ? ', default' : ''}
        </span>
      </>
    ),
  }));
  return <Choices label="Action groups" options={options} {...choice} />;
}

import { valueText } from './value-text.js';

interface ChangesTableProps {
  class: string;
  /** What the two values of each field are. */
  heads: readonly [string, string];
  rows: readonly { name: string; values: readonly [unknown, unknown] }[];
}

export function ChangesTable({ class: className, heads, rows }: ChangesTableProps) {
  return (
    <table class={className}>
      <thead>
        <tr>
          {['Field', ...heads].map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ name, values }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {values.map((value, index) => (
              <td key={index}>{valueText(value)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

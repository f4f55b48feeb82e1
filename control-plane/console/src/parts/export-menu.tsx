import { csvLine } from '@watchpost/shared/csv-line';
import { Menu } from './menu.js';
import { pictureOf, toPng } from './picture.js';
import { saveFile } from './save-file.js';
import { toastFault } from '../frame/toasts.js';
import { asFault } from '../data/api-fault.js';

/**
 * Saves what a frame shows as a picture, or as the numbers behind it.
 * @param props.of finds the frame
 * @param props.rows the numbers, the names of their columns first
 */
export function ExportMenu(props: {
  name: string;
  of: { readonly current: HTMLElement | null };
  rows: () => readonly (readonly (string | number | null)[])[];
}) {
  const fileName = (ending: string) => `${props.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').toLowerCase()}.${ending}`;
  const svg = () => pictureOf(props.of.current!);
  const png = () =>
    toPng(svg()).then(
      (picture) => saveFile(fileName('png'), picture),
      (fault: unknown) => toastFault(asFault(fault)),
    );
  const csv = () => {
    saveFile(fileName('csv'), new Blob(props.rows().map(csvLine), { type: 'text/csv' }));
  };
  return (
    <Menu
      label={`Export ${props.name}`}
      className="btn btn-small"
      items={[
        { label: 'PNG', onSelect: () => void png() },
        { label: 'SVG', onSelect: () => saveFile(fileName('svg'), new Blob([svg()], { type: 'image/svg+xml' })) },
        { label: 'CSV', onSelect: csv },
      ]}
    >
      Export
    </Menu>
  );
}

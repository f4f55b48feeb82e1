import { useLocation } from 'preact-iso';
import { change } from '../data/resources.js';
import { toast } from '../frame/toasts.js';
import { ask, type Question } from './dialog.js';

interface Deletion extends Pick<Question, 'consequences' | 'typedName'> {
  name: string;
  /** The API has it under this path. */
  path: string;
  /** It is refused where somebody has changed it since. */
  etag?: string | null;
  /** This is shown in place of it. */
  back: string;
}

/** @returns what asks before it deletes what the screen shows */
export function useDelete(): (of: Deletion) => void {
  const { route } = useLocation();
  return ({ name, path, etag = null, back, ...question }) =>
    ask({
      ...question,
      title: `Delete ${name}?`,
      action: 'Delete',
      onConfirm: async () => {
        await change('DELETE', path, { ifMatch: etag });
        toast(`Deleted: ${name}`);
        route(back, true);
      },
    });
}

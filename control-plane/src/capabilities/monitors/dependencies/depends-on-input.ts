import { z } from 'zod';
import { uuid } from '../../../platform/http/schemas.js';
import { withoutRepeats } from '../../../platform/http/define-settings.js';

const MAX_DEPENDENCIES = 10;

/** What a monitor depends on, as a caller may send it. */
export const dependsOnInput = z
  .array(uuid)
  .max(MAX_DEPENDENCIES)
  .transform((ids) => withoutRepeats(ids).toSorted())
  .meta({
    description:
      `Monitors of the workspace without which it cannot work, at most ${MAX_DEPENDENCIES}, without a circle. While one of them has an open incident ` +
      'of availability, a failure of this one notifies nobody and is attached to that incident. The list is replaced as a whole.',
    default: [],
  });

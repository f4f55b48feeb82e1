import type { AssertionResult } from '@watchpost/shared/assertions/assertion';
import { StateMark } from './marks.js';

/** Which assertions of a check passed, with what was expected and found. */
export function AssertionResults({ results }: { results: readonly AssertionResult[] }) {
  if (results.length === 0) return null;
  return (
    <ol class="list lines gap-1 small" aria-label="Assertions">
      {results.map(({ index, passed, expected, actual, message }) => (
        <li key={index} class="row">
          <StateMark state={passed ? 'available' : 'unavailable'} word={passed ? 'Passed' : 'Failed'} />
          <span>
            {index + 1}. {message ?? `Expected: ${expected}`}
          </span>
          <span class="soft">
            {message !== null && `Expected: ${expected}. `}Found: {actual ?? 'nothing'}
          </span>
        </li>
      ))}
    </ol>
  );
}

import type { ApiFault } from '../data/api-fault.js';
import { pathTo, workspaceId } from '../data/session.js';

/** Why something failed, with all that the API names, and what leads on. */
export function FaultNote({ fault, onRetry }: { fault: ApiFault; onRetry?: () => void }) {
  const isPlan = fault.code === 'plan_limit_exceeded' || fault.code === 'feature_not_in_plan';
  // A fault of one field has the same sentence twice.
  const details = fault.details.filter(({ message }) => message !== fault.message);
  return (
    <div class="note note-unavailable" role="alert">
      <p>{fault.message}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={path + message}>
              {path !== '' && <code>{path}</code>} {message}
            </li>
          ))}
        </ul>
      )}
      {fault.requestId && fault.status >= 500 && (
        <p class="soft">
          Request <code>{fault.requestId}</code>
        </p>
      )}
      {isPlan && workspaceId.value !== '' && (
        <p>
          <a href={pathTo('/settings/plan')}>See what each plan has</a>
        </p>
      )}
      {onRetry && (
        <button type="button" class="btn" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

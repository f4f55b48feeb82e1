import { show } from '../parts/dialog.js';
import { toastFault } from './toasts.js';

/** Asks for a new workspace. The first screen does without forms. */
export function newWorkspace(): void {
  void import('../screens/administering.js').then((file) => show(<file.NewWorkspaceDialog />), toastFault);
}

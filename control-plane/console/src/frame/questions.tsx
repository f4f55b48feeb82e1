import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ConfirmDialog, type Question } from '../parts/dialog.js';

const question = signal<Question>();

/** Asks before something that others notice. */
export function ask(next: Question): void {
  question.value = next;
}

/** The question that is open. Another address ends it. */
export function Questions() {
  const { path } = useLocation();
  useLayoutEffect(() => () => (question.value = undefined), [path]);
  return question.value && <ConfirmDialog {...question.value} onClose={() => (question.value = undefined)} />;
}

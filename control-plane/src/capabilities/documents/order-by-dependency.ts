/** What decides the order of an object of a document. */
export interface Dependent {
  section: string;
  key: string;
  fields: Readonly<Record<string, unknown>>;
}

/**
 * Moves each monitor behind those that it depends on, so that they exist before it, and so that no state in between has a
 * circle that the document does not have. Other objects stay where they are.
 * @returns the dependencies that close a circle, too, by their path in the document
 */
export function orderByDependency<Each extends Dependent>(
  objects: readonly Each[],
): { ordered: Each[]; circles: { path: string[]; message: string }[] } {
  const monitors = new Map(objects.filter(({ section }) => section === 'monitors').map((one) => [one.key, one]));
  const stage = new Map<string, 'open' | 'done'>();
  const behind: Each[] = [];
  const circles: { path: string[]; message: string }[] = [];
  // A stack instead of a recursion: a document may have a chain of thousands.
  for (const start of monitors.values()) {
    const stack = [{ monitor: start, next: 0 }];
    while (stack.length > 0) {
      const top = stack.at(-1)!;
      const { monitor } = top;
      const causes = causesOf(monitor);
      if (top.next === 0 && stage.get(monitor.key) === 'done') stack.pop();
      else if (top.next >= causes.length) {
        stack.pop();
        stage.set(monitor.key, 'done');
        behind.push(monitor);
      } else {
        stage.set(monitor.key, 'open');
        const cause = monitors.get(causes[top.next]!);
        if (cause && stage.get(cause.key) === 'open')
          circles.push({
            path: ['monitors', monitor.key, 'dependsOn'],
            message: `closes a circle with ${cause.key}`,
          });
        else if (cause && stage.get(cause.key) === undefined) stack.push({ monitor: cause, next: 0 });
        top.next++;
      }
    }
  }
  let place = 0;
  const ordered = objects.map((one) => (one.section === 'monitors' ? behind[place++]! : one));
  return { ordered, circles };
}

function causesOf({ fields }: Dependent): readonly string[] {
  const causes = fields['dependsOn'];
  return Array.isArray(causes) ? (causes as string[]) : [];
}

/** By what is done: the version of the object for which it was done last. */
const done = new Map<string, string>();

/**
 * Does something unless it was done for this version, or is being done: a second press of a key acts on what is shown, which is
 * then the state before the first.
 * @param version differs once the change is shown, such as `lastModified`
 * @param work throws where nothing was done: it can be tried again then
 */
export async function once(what: string, version: string, work: () => Promise<void>): Promise<void> {
  if (done.get(what) === version) return;
  done.set(what, version);
  try {
    await work();
  } catch (error) {
    done.delete(what);
    throw error;
  }
}

/** Explains what to do about a port that is in use; other errors are returned unchanged. */
export function portTaken(error: unknown, variable: string, port: number): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error as Error;
  const what = code === 'EADDRINUSE' ? 'is taken by another program' : 'may not be used by this user';
  return new Error(`Port ${port} ${what}: set ${variable} to another one.`, { cause: error });
}

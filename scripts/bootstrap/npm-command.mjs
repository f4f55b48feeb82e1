/**
 * The program and arguments that run npm. Under "npm run" the running npm is used, because another one may not exist.
 * @returns {[string, string[]]}
 */
export function npmCommand(args) {
  const npm = process.env.npm_execpath;
  return npm && /\.c?js$/.test(npm) ? [process.execPath, [npm, ...args]] : ['npm', args];
}

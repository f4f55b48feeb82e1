import { spawn } from 'node:child_process';
import { ROOT } from './root.mjs';

/** The failure of a program that has already printed the reason. */
class ProgramFailed extends Error {
  constructor(what, status) {
    super(`${what} failed (${status}).`);
    this.exitCode = 1;
  }
}

/** Runs a program in the checkout; all of its output goes to standard error. */
export function runProgram(what, command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 2, 2] });
    child.once('error', (error) => reject(new Error(`${what} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => (code === 0 ? resolve() : reject(new ProgramFailed(what, signal ?? code))));
  });
}

import { answerCommand } from '@watchpost/control-plane/app/admin/answer-command';
import { readAdminConfig } from '@watchpost/control-plane/config/config';

/**
 * Runs an operator's command in this process; a process of its own takes a second and a half of processor time to start.
 * @param env what the variables of that process would be
 * @returns its standard output; an exit code other than 0 rejects
 */
export async function runAdminCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { exitCode, stdout, stderr } = await answerCommand(args, readAdminConfig(env));
  if (exitCode !== 0) throw new Error(`${args.join(' ')} ended with ${exitCode}: ${stderr.join('\n')}`);
  return stdout.map((line) => `${line}\n`).join('');
}

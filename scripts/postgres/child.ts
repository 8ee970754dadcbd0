import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Whether a program of this name is on the PATH. */
export function hasProgram(name: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Wraps a command so that it is killed when this process dies. `setpriv` execs the command, so the process id is that of
 * the command. Without `setpriv` (only Linux has it) the command is unchanged.
 */
export function killWithParent({ command, args }: Command): Command {
  if (!hasProgram('setpriv')) return { command, args };
  return { command: 'setpriv', args: ['--pdeathsig', 'KILL', command, ...args] };
}

const passedVariables = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'HOME', 'LD_LIBRARY_PATH'];

/** Wraps a command so that it does not see settings such as APP_SECRET. */
export function withoutSettings({ command, args }: Command): Command {
  const variables = passedVariables.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return { command: 'env', args: ['-i', ...variables, command, ...args] };
}

/**
 * Wraps a command so that it does not run as root, which PostgreSQL rejects. A user namespace gives it another user id,
 * while its files still belong to root. Therefore it needs no system user, and can use folders that only root can read.
 * @throws Error if user namespaces are not allowed
 */
export function asOrdinaryUser({ command, args }: Command): Command {
  if (process.getuid?.() !== 0) return { command, args };
  const id = ordinaryUserId();
  const namespace = ['--user', `--map-user=${id}`, `--map-group=${id}`];
  if (!hasProgram('unshare') || spawnSync('unshare', [...namespace, 'true']).status !== 0) {
    throw new Error(
      'The embedded PostgreSQL cannot run as root here, because user namespaces are not allowed. ' +
        'Start Headwater as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return { command: 'unshare', args: [...namespace, command, ...args] };
}

/** A user id other than root from /etc/passwd, because `initdb` requires one. */
function ordinaryUserId(): number {
  const ids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]));
  return ids.find((id) => Number.isInteger(id) && id > 0) ?? 1000;
}

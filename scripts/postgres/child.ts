import { spawnSync } from 'node:child_process';
import { accessSync, constants, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Command {
  readonly command: string;
  readonly args: readonly string[];
}

/** Is there a program of this name on the PATH? */
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
 * The same command, but it dies when this process dies, however that happens. `setpriv` replaces itself by
 * the command, so the process id is the command's own. Elsewhere than on Linux the command is left as it is.
 */
export function diesWithParent({ command, args }: Command): Command {
  if (!hasProgram('setpriv')) return { command, args };
  return { command: 'setpriv', args: ['--pdeathsig', 'KILL', command, ...args] };
}

const kept = ['PATH', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'HOME', 'LD_LIBRARY_PATH'];

/** The same command without our settings: PostgreSQL needs neither APP_SECRET nor the keys of a bucket. */
export function withoutSettings({ command, args }: Command): Command {
  const given = kept.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [`${name}=${value}`];
  });
  return { command: 'env', args: ['-i', ...given, command, ...args] };
}

/**
 * PostgreSQL refuses to run as root. A user namespace gives it an ordinary user id while files still belong
 * to us: no system user is made, no permissions are changed, a checkout in a private home folder works.
 */
export function asOrdinaryUser({ command, args }: Command): Command {
  if (process.getuid?.() !== 0) return { command, args };
  const id = ordinaryUserId();
  const namespace = ['--user', `--map-user=${id}`, `--map-group=${id}`];
  if (!hasProgram('unshare') || spawnSync('unshare', [...namespace, 'true']).status !== 0) {
    throw new Error(
      'The embedded PostgreSQL cannot run as root here, because user namespaces are not allowed: ' +
        'start as an ordinary user, or set DATABASE_URL to a PostgreSQL server.',
    );
  }
  return { command: 'unshare', args: [...namespace, command, ...args] };
}

/** `initdb` wants to find its user in /etc/passwd: any that is not root will do. */
function ordinaryUserId(): number {
  const ids = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => Number(line.split(':')[2]));
  return ids.find((id) => Number.isInteger(id) && id > 0) ?? 1000;
}

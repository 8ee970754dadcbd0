import { spawnSync } from 'node:child_process';
import { installPackage } from '../service/ffmpeg';

/** Python of the system, which finds the packages of the system even if another Python is first in PATH. */
export const systemPython = '/usr/bin/python3';
/** Arguments with which Python succeeds if PyJWT can sign with ES256. */
export const jwtProbe = ['-c', 'import jwt, cryptography'] as const;

/**
 * Installs packages whose tests would be skipped, which the full suite counts as a failure. Without the right to install,
 * the tests are skipped.
 */
export async function installTestPackages(log: (line: string) => void, signal: AbortSignal): Promise<void> {
  const hasJwt = ['python3', systemPython].some((path) => spawnSync(path, [...jwtProbe]).status === 0);
  // python3-jwt only recommends the package that it needs for ES256.
  if (!hasJwt)
    for (const name of ['python3-jwt', 'python3-cryptography']) await installPackage(name, log, signal);
}

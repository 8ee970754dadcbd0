import { existsSync } from 'node:fs';
import { hasProgram } from '../postgres/child';
import { installPackage } from '../service/ffmpeg';
import { ExpectedError } from '../service/expected-error';
import { runToEnd } from '../service/run-to-end';
import { packageFile } from './step';

/** Packages with Chromium. The headless build is preferred, because it needs no desktop libraries. */
const packages = ['chromium-headless-shell', 'chromium'] as const;
const names = [...packages, 'chromium-browser', 'google-chrome'];

/**
 * Finds Chromium for the browser tests, and installs it if it is missing.
 * @returns its path; empty if Playwright's own Chromium is used
 * @throws ExpectedError if it can't be installed
 */
export async function ensureChromium(log: (line: string) => void, signal: AbortSignal): Promise<string> {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath) return configuredPath;
  const chromiumPath = installedPath(names);
  if (chromiumPath) return chromiumPath;
  // The packages of the distribution come first: Playwright's own Chromium cannot play H.264 and AAC.
  for (const name of packages) {
    const packagePath = (await installPackage(name, log, signal)) && installedPath(names);
    if (packagePath) return packagePath;
  }
  log('Downloading Chromium for the browser tests …');
  const cli = packageFile('@playwright/test', 'cli.js');
  try {
    await runToEnd({ command: process.execPath, args: [cli, 'install', 'chromium'] }, log, signal);
    return '';
  } catch (cause) {
    throw new ExpectedError('The browser tests need Chromium. Install it, or set CHROMIUM_PATH.', { cause });
  }
}

/** Path of the first of these programs that is installed in a usual folder. */
export function installedPath(programs: readonly string[]): string | undefined {
  const folders = ['/usr/bin', '/usr/local/bin', '/snap/bin'];
  return programs
    .filter((name) => hasProgram(name))
    .flatMap((name) => folders.map((folder) => `${folder}/${name}`))
    .find((path) => existsSync(path));
}

import { existsSync } from 'node:fs';
import { hasProgram } from '../postgres/child';
import { installPackage } from '../service/ffmpeg';
import { ExpectedError, runToEnd } from '../service/run-to-end';
import { tool } from './step';

/** The headless build first: it has no window and needs no desktop libraries. */
const packages = ['chromium-headless-shell', 'chromium'] as const;
const names = [...packages, 'chromium-browser', 'google-chrome'];

/** Path of Chromium for the browser tests, installed if missing; empty for Playwright's own browser. */
export async function ensureChromium(say: (line: string) => void, signal: AbortSignal): Promise<string> {
  const configuredPath = process.env.CHROMIUM_PATH;
  if (configuredPath) return configuredPath;
  const chromiumPath = installedPath(names);
  if (chromiumPath) return chromiumPath;
  // The packages of the distribution come first: Playwright's own Chromium cannot play H.264 and AAC.
  for (const name of packages) {
    const packagePath = (await installPackage(name, say, signal)) && installedPath(names);
    if (packagePath) return packagePath;
  }
  say('Downloading Chromium for the browser tests …');
  const cli = tool('@playwright/test', 'cli.js');
  try {
    await runToEnd({ command: process.execPath, args: [cli, 'install', 'chromium'] }, say, signal);
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

import { existsSync } from 'node:fs';
import { hasProgram } from '../postgres/child';
import { installPackage } from '../service/ffmpeg';
import { ExpectedError, runToEnd } from '../service/run-to-end';
import { tool } from './step';

const names = ['chromium', 'chromium-browser', 'google-chrome'];

/** Path of a Chromium for the browser tests, installed when there is none; empty for Playwright's own. */
export async function ensureChromium(say: (line: string) => void, signal: AbortSignal): Promise<string> {
  const given = process.env.CHROMIUM_PATH;
  if (given) return given;
  const known = installed();
  if (known) return known;
  // Debian's plays H.264 and AAC, and comes from where the rest of the system comes from.
  if (await installPackage('chromium', say, signal)) return installed() ?? '';
  say('Downloading Chromium for the browser tests …');
  const cli = tool('@playwright/test', 'cli.js');
  try {
    await runToEnd({ command: process.execPath, args: [cli, 'install', 'chromium'] }, say, signal);
    return '';
  } catch (cause) {
    throw new ExpectedError('The browser tests need Chromium: install it, or set CHROMIUM_PATH.', { cause });
  }
}

function installed(): string | undefined {
  const name = names.find((candidate) => hasProgram(candidate));
  return name && ['/usr/bin', '/usr/local/bin', '/snap/bin'].map((dir) => `${dir}/${name}`).find(existsSync);
}

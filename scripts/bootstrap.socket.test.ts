import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

// It is a socket test (vitest.config.ts), because it starts processes.

/**
 * Source of a fake npm. An installation adds its option `--include=dev` or `--omit=dev` to the file npm-dev-options, and writes
 * npm's hidden lock file node_modules/.package-lock.json with the packages of package-lock.json, but no packages.
 */
const fakeNpmSource = `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  const [, , ...args] = process.argv;
  if (args[0] === '--version') console.log('10.9.0');
  else {
    appendFileSync('npm-dev-options', args.find((arg) => /dev$/.test(arg)) + '\\n');
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const installed = Object.entries(packages).filter(([, { dev, os }]) => !os && (!dev || args.includes('--include=dev')));
    mkdirSync('node_modules', { recursive: true });
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(installed) }));
  }`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-bootstrap-'));
  mkdirSync(join(root, 'scripts'));
  for (const name of ['bootstrap.mjs', 'exclusive.mjs'])
    cpSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  writeFileSync(join(root, 'npm.js'), fakeNpmSource);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeLockFile('1.0.0');
});
afterEach(() => rmSync(root, { recursive: true }));

/**
 * Writes a lock file with a production dependency, a dev dependency and an optional dependency of another platform. npm does
 * not install the last one, which must not cause another installation.
 * @param version version of the production dependency
 */
function writeLockFile(version: string): void {
  const packages = {
    'node_modules/production': { version },
    'node_modules/development': { version: '1.0.0', dev: true },
    'node_modules/other-platform': { version: '1.0.0', optional: true, os: ['none'] },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

/**
 * Runs `node scripts/bootstrap.mjs <command>`. The command fails after the installation, because no packages are installed.
 * @returns `--include=dev` or `--omit=dev` for each installation: with or without dev dependencies
 */
async function npmDevOptionsOf(command: string): Promise<string[]> {
  writeFileSync(join(root, 'npm-dev-options'), '');
  const env = { ...process.env, npm_execpath: join(root, 'npm.js') };
  await new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts', 'bootstrap.mjs'), command], { env }, resolve);
  });
  return readFileSync(join(root, 'npm-dev-options'), 'utf8').split('\n').filter(Boolean);
}

test('production and dev dependencies are installed once, when a command needs them', async () => {
  expect(await npmDevOptionsOf('start')).toEqual(['--omit=dev']);
  expect(await npmDevOptionsOf('start')).toEqual([]);
  expect(await npmDevOptionsOf('test')).toEqual(['--include=dev']);
  expect(await npmDevOptionsOf('check')).toEqual([]);
  expect(await npmDevOptionsOf('start')).toEqual([]);
});

test('a start after an update keeps the dev dependencies', async () => {
  await npmDevOptionsOf('test');
  writeLockFile('1.1.0');
  expect(await npmDevOptionsOf('start')).toEqual(['--include=dev']);
  expect(await npmDevOptionsOf('test')).toEqual([]);
});

test('packages are installed again if one is outdated, or if the hidden lock file of npm is missing', async () => {
  await npmDevOptionsOf('start');
  writeLockFile('1.1.0');
  expect(await npmDevOptionsOf('start')).toEqual(['--omit=dev']);
  rmSync(join(root, 'node_modules', '.package-lock.json'));
  expect(await npmDevOptionsOf('start')).toEqual(['--omit=dev']);
});

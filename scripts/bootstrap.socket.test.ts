import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** A fake npm. It records its arguments, and writes that it installed the requested packages. */
const npm = `
  import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
  const [, , ...args] = process.argv;
  if (args[0] === '--version') console.log('10.9.0');
  else {
    appendFileSync('calls', args.find((arg) => /dev$/.test(arg)) + '\\n');
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
    const keptPackages = Object.entries(packages).filter(([, { dev }]) => !dev || args.includes('--include=dev'));
    mkdirSync('node_modules', { recursive: true });
    writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(keptPackages) }));
  }`;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headwater-bootstrap-'));
  mkdirSync(join(root, 'scripts'));
  for (const name of ['bootstrap.mjs', 'exclusive.mjs'])
    cpSync(join(import.meta.dirname, name), join(root, 'scripts', name));
  writeFileSync(join(root, 'npm.js'), npm);
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
  writeLockFile('1.0.0');
});
afterEach(() => rmSync(root, { recursive: true }));

/** Writes a lock file with a package of the service, one of the tests and one of another platform. */
function writeLockFile(version: string): void {
  const packages = {
    'node_modules/served': { version },
    'node_modules/tested': { version: '1.0.0', dev: true },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['none'] },
  };
  writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ packages }));
}

/**
 * Runs a command, which fails after the installation because its script is missing.
 * @returns the option of each call of npm that says whether packages of tests are installed
 */
async function npmOptionsFor(command: string): Promise<string[]> {
  writeFileSync(join(root, 'calls'), '');
  const env = { ...process.env, npm_execpath: join(root, 'npm.js') };
  await new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'scripts', 'bootstrap.mjs'), command], { env }, resolve);
  });
  return readFileSync(join(root, 'calls'), 'utf8').split('\n').filter(Boolean);
}

test('packages of the service and of tests are installed once, when a command needs them', async () => {
  expect(await npmOptionsFor('start')).toEqual(['--omit=dev']);
  expect(await npmOptionsFor('start')).toEqual([]);
  expect(await npmOptionsFor('test')).toEqual(['--include=dev']);
  expect(await npmOptionsFor('check')).toEqual([]);
  expect(await npmOptionsFor('start')).toEqual([]);
});

test('a start after an update keeps the packages of tests', async () => {
  await npmOptionsFor('test');
  writeLockFile('1.1.0');
  expect(await npmOptionsFor('start')).toEqual(['--include=dev']);
  expect(await npmOptionsFor('test')).toEqual([]);
});

test('outdated packages, and those of an interrupted installation, are installed again', async () => {
  await npmOptionsFor('start');
  writeLockFile('1.1.0');
  expect(await npmOptionsFor('start')).toEqual(['--omit=dev']);
  rmSync(join(root, 'node_modules', '.package-lock.json'));
  expect(await npmOptionsFor('start')).toEqual(['--omit=dev']);
});

// Runs before anything is installed: plain JavaScript, nothing but Node. `node scripts/bootstrap.mjs <command> …`
// makes sure the dependencies are there, then runs scripts/<command>.ts.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const commands = ['start', 'test', 'check', 'cli', 'demo', 'generate', 'migration', 'readme-images'];
const [command = '', ...args] = process.argv.slice(2);

// Standard output belongs to the command: `cli` prints nothing but its result there.
const say = (line) => process.stderr.write(`${line}\n`);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(
    `Headwater needs Node 20.19 or newer; this is ${process.versions.node}. Get it from https://nodejs.org`,
  );
  process.exit(1);
}
if (!commands.includes(command)) {
  say(`Usage: one of ${commands.join(', ')}`);
  process.exit(1);
}

process.chdir(root);
try {
  await installDependencies();
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(root, 'tsconfig.json') });
  const { default: run } = await import(new URL(`./${command}.ts`, import.meta.url).href);
  await run(args);
} catch (error) {
  // A sentence for people; the stack only for what we did not foresee.
  const foreseen =
    error?.expected === true || ['SettingsError', 'AppError', 'StorageUnusable'].includes(error?.name);
  say(foreseen ? error.message : (error?.stack ?? String(error)));
  process.exitCode = 1;
}

async function installDependencies() {
  if (!missingDependency()) return;
  const { exclusively } = await import('./exclusive.mjs');
  await exclusively(join(root, '.cache', 'install.lock'), 'installing dependencies', say, async () => {
    const missing = missingDependency();
    if (!missing) return;
    say(`Installing dependencies (${missing}); this takes a minute …`);
    // Not `npm ci`: it refuses a lock file that lacks packages of other platforms. The versions are those of
    // the lock file all the same, and with --no-save no file is changed.
    const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
    await npm(['install', '--no-save', '--include=dev', '--ignore-scripts', ...quiet]);
    const still = missingDependency();
    if (still) throw expected(`npm did not install what package-lock.json asks for: ${still}`);
    say('Dependencies installed.');
  });
}

/**
 * npm notes what it installed in node_modules/.package-lock.json, written last: an interrupted install has none.
 * @returns {string | null} what differs from package-lock.json
 */
function missingDependency() {
  const installedFile = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedFile)) return 'none yet';
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const installed = JSON.parse(readFileSync(installedFile, 'utf8')).packages;
  for (const [path, { version, optional, devOptional }] of Object.entries(wanted)) {
    if (path === '' || installed[path]?.version === version) continue;
    // Packages for other platforms are never installed.
    if (!installed[path] && (optional || devOptional)) continue;
    return `${path.replace(/^node_modules\//, '')} ${version} is missing`;
  }
  return null;
}

function npm(npmArgs) {
  const cli = process.env.npm_execpath;
  const [program, first] = cli?.endsWith('.js') ? [process.execPath, [cli]] : ['npm', []];
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const progress = setInterval(
      () => say(`  … still installing, ${Math.round((Date.now() - started) / 1000)} s`),
      10_000,
    );
    const child = spawn(program, [...first, ...npmArgs], { cwd: root, stdio: ['ignore', 2, 2] });
    const fail = (text) => reject(expected(text));
    child.once('error', (error) => fail(`npm cannot be started: ${error.message}`));
    child.once('exit', (code) => {
      clearInterval(progress);
      if (code === 0) resolve();
      else fail('npm could not install the dependencies; the reason is above.');
    });
  });
}

function expected(text) {
  return Object.assign(new Error(text), { expected: true });
}

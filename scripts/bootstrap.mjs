// Runs before anything is installed, so it is plain JavaScript that only uses Node. `node scripts/bootstrap.mjs <command>`
// installs missing dependencies and runs scripts/<command>.ts.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
// Whether each command needs the dev dependencies.
const commands = {
  start: false,
  build: false,
  cli: false,
  demo: false,
  generate: false,
  test: true,
  check: true,
  migration: true,
  'readme-images': true,
  'task-videos': true,
  'page-images': true,
};
const [command = '', ...args] = process.argv.slice(2);

// Messages go to standard error, because standard output is for the result of the command.
const say = (line) => process.stderr.write(`${line}\n`);

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  say(
    `Headwater needs Node 20.19 or newer; this is ${process.versions.node}. Get it from https://nodejs.org`,
  );
  process.exit(1);
}
if (!Object.hasOwn(commands, command)) {
  say(`Usage: one of ${Object.keys(commands).join(', ')}`);
  process.exit(1);
}

process.chdir(root);
try {
  await installDependencies(commands[command]);
  const { register } = await import('tsx/esm/api');
  register({ tsconfig: join(root, 'tsconfig.json') });
  const { default: run } = await import(new URL(`./${command}.ts`, import.meta.url).href);
  await run(args);
} catch (error) {
  // Print the stack of unexpected errors only.
  const isExpected =
    error?.expected === true || ['SettingsError', 'AppError', 'StorageUnusableError'].includes(error?.name);
  say(isExpected ? error.message : (error?.stack ?? String(error)));
  process.exitCode = 1;
}

async function installDependencies(development) {
  if (!missingDependency(development)) return;
  const { exclusively } = await import('./exclusive.mjs');
  await exclusively(join(root, '.cache', 'install.lock'), 'installing dependencies', say, async () => {
    const difference = missingDependency(development);
    if (!difference) return;
    say(`Installing dependencies (${difference}); this takes a minute …`);
    // `npm ci` rejects a lock file that lacks packages of other platforms. `npm install --no-save` uses the versions of
    // the lock file too and does not change it.
    requireNpm();
    const quietOptions = ['--no-audit', '--no-fund', '--loglevel=error'];
    // npm removes packages that are not included, so installed dev dependencies are included again.
    const includeOption = development || hasDevelopmentPackages() ? '--include=dev' : '--omit=dev';
    await npm(['install', '--no-save', includeOption, '--ignore-scripts', ...quietOptions]);
    const stillMissing = missingDependency(development);
    if (stillMissing)
      throw expectedError(`npm did not install the packages of package-lock.json: ${stillMissing}`);
    say('Dependencies installed.');
  });
}

/**
 * @param {boolean} development whether dev dependencies are needed too
 * @returns {string | null} the first difference to package-lock.json; null if there is none
 */
function missingDependency(development) {
  const installed = installedPackages();
  if (!installed) return 'first start';
  const lockedPackages = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  for (const [path, { version, optional, dev, devOptional }] of Object.entries(lockedPackages)) {
    if (path === '' || installed[path]?.version === version) continue;
    if (dev && !development) continue;
    // Packages for other platforms are never installed.
    if (!installed[path] && (optional || devOptional)) continue;
    return `${path.replace(/^node_modules\//, '')} ${version} is missing`;
  }
  return null;
}

/** npm writes node_modules/.package-lock.json at the end, so an interrupted install has none. */
function installedPackages() {
  const file = join(root, 'node_modules', '.package-lock.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).packages : null;
}

function hasDevelopmentPackages() {
  return Object.values(installedPackages() ?? {}).some(({ dev }) => dev);
}

/** npm 9, which Debian 13 has, fails with "Invalid comparator" on the overrides of package.json. */
function requireNpm() {
  const { stdout } = spawnSync(...npmCommand(['--version']), { encoding: 'utf8' });
  if (Number.parseInt(stdout ?? '', 10) >= 10) return;
  const foundNpm = stdout ? `this is ${stdout.trim()}` : 'it cannot be started';
  throw expectedError(
    `Headwater needs npm 10 or newer; ${foundNpm}. Get it with: npm install --global npm@10`,
  );
}

/** The npm that started this process, otherwise the npm on the PATH. */
function npmCommand(npmArgs) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js') ? [process.execPath, [cli, ...npmArgs]] : ['npm', npmArgs];
}

function npm(npmArgs) {
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const progress = setInterval(
      () => say(`  … still installing, ${Math.round((Date.now() - started) / 1000)} s`),
      10_000,
    );
    const child = spawn(...npmCommand(npmArgs), { cwd: root, stdio: ['ignore', 2, 2] });
    const fail = (text) => reject(expectedError(text));
    child.once('error', (error) => fail(`npm cannot be started: ${error.message}`));
    child.once('exit', (code) => {
      clearInterval(progress);
      if (code === 0) resolve();
      else fail('npm could not install the dependencies. See its output above.');
    });
  });
}

function expectedError(text) {
  return Object.assign(new Error(text), { expected: true });
}

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { root, packageFile } from './step';

/**
 * `npm run test:nodes [version …]`: runs the static checks, the pure and media tests, and the API tests against a
 * started service, on each supported major version of Node. The binaries come from npm and are installed in a
 * temporary folder. The installed packages stay the same, because none is compiled for a version of Node.
 */

const supportedVersions = ['20', '22', '24'];
const requestedVersions = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'headwater-nodes-'));
const MS_PER_MINUTE = 60_000;

interface Check {
  readonly name: string;
  readonly args: readonly string[];
}

const vitest = (project: string): Check => ({
  name: `${project} tests`,
  args: [
    packageFile('vitest', 'vitest.mjs'),
    'run',
    '--project',
    project,
    '--maxWorkers=2',
    '--reporter=dot',
  ],
});
const checks: readonly Check[] = [
  { name: 'lint and types', args: [packageFile('oxlint', 'bin/oxlint')] },
  vitest('pure'),
  vitest('media'),
  {
    name: 'start and API tests',
    args: ['--import', 'tsx', join(root, 'scripts', 'checks', 'start-and-test.ts')],
  },
];

/**
 * Installs a version of Node.
 * @returns the path of its `bin` folder
 */
function installNode(version: string): string {
  const name = `node-${process.platform}-${process.arch}`;
  const args = [
    'install',
    '--prefix',
    join(folder, version),
    '--ignore-scripts',
    '--no-audit',
    `${name}@${version}`,
  ];
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', timeout: 10 * MS_PER_MINUTE });
  if (status !== 0) throw new Error(`npm cannot install ${name}@${version}: ${stderr}`);
  return join(folder, version, 'node_modules', name, 'bin');
}

let hasFailed = false;
try {
  for (const version of requestedVersions.length > 0 ? requestedVersions : supportedVersions) {
    const bin = installNode(version);
    const node = join(bin, 'node');
    const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' });
    for (const { name, args } of checks) {
      const startedAt = performance.now();
      const {
        status,
        stdout: output,
        stderr,
      } = spawnSync(node, [...args], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 256 * 1024 ** 2,
        timeout: 60 * MS_PER_MINUTE,
        // Programs that a test starts as `node` use this version, too.
        env: { ...process.env, NO_COLOR: '1', PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
      });
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      console.log(`${status === 0 ? '✓' : '✗'} Node ${stdout.trim()}: ${name} (${seconds} s)`);
      if (status === 0) continue;
      hasFailed = true;
      console.log(`${output}\n${stderr}`.slice(-20_000));
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = hasFailed ? 1 : 0;

import { execFileSync } from 'node:child_process';
import { root, tool } from './step';

/** Which modules import which, by path. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** What tests use without importing it: the roles that they start, and the service that they talk to over HTTP. */
const hidden: readonly (readonly [from: RegExp, to: RegExp])[] = [
  [/^media-worker\/vod\/tasks\/testing\/jobs-process\.ts$/, /^media-worker\/index\.ts$/],
  [/^e2e\/(api|media|dashboard|watching)\/.*\.spec\.ts$/, /^(media-worker|web)\/index\.ts$/],
  [/^e2e\/(api|media)\/.*\.spec\.ts$/, /^app\/api\/.*\/route\.ts$/],
  [/^e2e\/(dashboard|watching)\/.*\.spec\.ts$/, /^app\/.*\/(page|layout|route)\.tsx?$/],
  [/\.db\.test\.ts$/, /^prisma\/schema\.prisma$/],
];

/** Files that everything depends on. */
const everywhere =
  /^(package(-lock)?\.json|tsconfig\.json|prisma\/|next\.config|vitest\.config|playwright\.config)/;

/** The files of the full suite whose imports reach one of the changed files. */
export function affected(graph: ImportGraph, tests: readonly string[], changed: readonly string[]): string[] {
  if (changed.some((file) => everywhere.test(file))) return [...tests];
  const wanted = new Set(changed);
  const all = [...graph.keys()];
  const reaches = (start: string): boolean => {
    const seen = new Set([start]);
    for (const file of seen) {
      if (wanted.has(file)) return true;
      const used = hidden
        .filter(([from]) => from.test(file))
        .flatMap(([, to]) => all.filter((each) => to.test(each)));
      for (const next of [...(graph.get(file) ?? []), ...used]) seen.add(next);
    }
    return false;
  };
  return tests.filter(reaches);
}

/** Files that differ from `since`, committed or not, and new ones. */
export function changedFiles(since: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const base = git('merge-base', since, 'HEAD')[0] ?? since;
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')];
}

/** The import graph of the repository's own modules. */
export function readImports(folders: readonly string[]): ImportGraph {
  const args = [
    tool('dependency-cruiser', 'bin/dependency-cruise.mjs'),
    ...['--config', 'dependency-cruiser.config.mjs', '--output-type', 'json'],
    ...folders,
  ];
  // It exits with the number of broken rules; the step "layers" reports those.
  const { modules } = JSON.parse(cruise(args)) as {
    modules: { source: string; dependencies: { resolved: string }[] }[];
  };
  return new Map(
    modules.map(({ source, dependencies }) => [source, dependencies.map(({ resolved }) => resolved)]),
  );
}

function cruise(args: readonly string[]): string {
  try {
    return execFileSync(process.execPath, [...args], {
      ...{ cwd: root, encoding: 'utf8' as const, maxBuffer: 512 * 1024 * 1024 },
    });
  } catch (error) {
    const { stdout } = error as { stdout?: string };
    if (stdout?.startsWith('{')) return stdout;
    throw error;
  }
}

import { execFileSync } from 'node:child_process';
import { referencesBehind, type ImportGraph, type Reference } from './import-graph';
import { root } from './step';

/** Files that everything depends on. */
const sharedFiles =
  /^(package(-lock)?\.json|tsconfig\.json|prisma\/|next\.config|vitest\.config|playwright\.config)/;

/** Words of a browser test that show which work of the media worker it causes, and the files that do that work. */
const browserTestWork: readonly (readonly [textPattern: RegExp, pathPattern: RegExp])[] = [
  [/publish|playing|test ?pattern|ffmpeg|rtmp/i, /^media-worker\/(ingest|live|media|delivery)\//],
  [/upload|setInputFiles|storeHls|\.mp4|asset|transcod/i, /^media-worker\/(vod|delivery)\//],
  [/record|clip|rewind|dvr/i, /^media-worker\/recording\//],
  [/webhook/i, /^media-worker\/webhooks\//],
];

/** Calls by which a test starts a process from a built file, which it does not import, and the entry file of the process. */
export const startedProcesses: readonly (readonly [textPattern: RegExp, pathPattern: RegExp])[] = [
  [/\bcreateJobsProcesses\(|\bstartWorkerProcess\(/, /^media-worker\/roles\/jobs-role\.ts$/],
  [
    /\bstartRtcProcesses\(|\bstartWorkerProcess\((?!'jobs')/,
    /^media-worker\/roles\/(live|origin|rtc)-role\.ts$/,
  ],
];

/**
 * Files that connect parts, surround every page or prepare tests. They use nearly everything, so their imports say
 * little about a test.
 */
const wiring =
  /^(lib\/http\/(services|service-status)|lib\/contract\/registry|e2e\/accounts|app\/.*layout)\.tsx?$/;

/** Whether a file belongs to the product instead of its tests. */
const isProductionFile = (path: string): boolean => !/\.(test|spec)\.tsx?$|\/testing\//.test(path);

/**
 * Finds the test files of the full suite that reach a changed file through the declarations that they use. A browser test
 * reaches the pages and the work that it names, their endpoints, and the code behind them.
 */
export function affectedTests(
  graph: ImportGraph,
  tests: readonly string[],
  changedPaths: readonly string[],
): string[] {
  if (changedPaths.some((file) => sharedFiles.test(file))) return [...tests];
  const reachFinder = new ReachFinder(graph);
  const reachedFiles = tests.map((test) => [test, reachFinder.reachedBy(test, false)] as const);
  // Changed files that only the wiring uses are reached through it.
  const onlyThroughWiring = changedPaths.filter(
    (file) => graph.has(file) && !reachedFiles.some(([, files]) => files.has(file)),
  );
  return reachedFiles
    .filter(([test, files]) => {
      if (changedPaths.some((file) => files.has(file))) return true;
      if (onlyThroughWiring.length === 0) return false;
      const filesThroughWiring = reachFinder.reachedBy(test, true);
      return onlyThroughWiring.some((file) => filesThroughWiring.has(file));
    })
    .map(([test]) => test);
}

/** Declarations that each declaration uses, including processes, pages and endpoints, which are not imported. */
class ReachFinder {
  readonly #graph: ImportGraph;
  readonly #productionFiles: readonly string[];
  readonly #routes: readonly string[];
  /** The route files of an endpoint, by file and name of its definition. */
  readonly #handlers = new Map<string, Reference[]>();

  constructor(graph: ImportGraph) {
    this.#graph = graph;
    this.#productionFiles = [...graph.keys()].filter(isProductionFile);
    this.#routes = this.#productionFiles.filter((path) => /^app\/api\/.*route\.ts$/.test(path));
    for (const path of this.#routes) {
      const declarations = [...(graph.get(path)?.declarations.values() ?? [])];
      for (const reference of declarations.flatMap(({ uses }) => uses)) {
        if (!reference.path.startsWith('lib/contract/')) continue;
        this.#handlers.set(referenceKey(reference), [
          ...(this.#handlers.get(referenceKey(reference)) ?? []),
          { path, name: '*' },
        ]);
      }
    }
  }

  /**
   * The files that a test reaches.
   * @param throughWiring whether to follow the imports of wiring files
   */
  reachedBy(test: string, throughWiring: boolean): ReadonlySet<string> {
    const references = new Map(
      [{ path: test, name: '*' }, ...this.#filesNamedIn(test)].map((reachedReference) => [
        referenceKey(reachedReference),
        reachedReference,
      ]),
    );
    const files = new Set<string>();
    for (const reference of references.values()) {
      files.add(reference.path);
      if (wiring.test(reference.path) && !throughWiring) continue;
      for (const next of [...referencesBehind(this.#graph, reference), ...this.#handlersOf(reference)])
        if (!references.has(referenceKey(next))) references.set(referenceKey(next), next);
    }
    return files;
  }

  /** Processes and pages that a test names. */
  #filesNamedIn(test: string): Reference[] {
    const text = [...(this.#graph.get(test)?.declarations.values() ?? [])]
      .map((declaration) => declaration.text)
      .join('\n');
    const isBrowserTest = test.endsWith('.spec.ts');
    const processes = (isBrowserTest ? browserTestWork : startedProcesses)
      .filter(([textPattern]) => textPattern.test(text))
      .flatMap(([, pattern]) => this.#productionFiles.filter((path) => pattern.test(path)));
    const pages = /^e2e\/(dashboard|watching)\//.test(test) ? this.#pagesIn(text) : [];
    return [...processes, ...pages].map((path) => ({ path, name: '*' }));
  }

  /** The pages that a text names, with their layouts. */
  #pagesIn(text: string): string[] {
    const pages = this.#productionFiles.filter(
      (path) => /^app\/(?!api\/).*page\.tsx$/.test(path) && isNamed(path, text),
    );
    const surrounds = (layout: string, page: string) => page.startsWith(layout.replace('layout.tsx', ''));
    const layouts = this.#productionFiles.filter(
      (path) => path.endsWith('/layout.tsx') && pages.some((page) => surrounds(path, page)),
    );
    return [...pages, ...layouts];
  }

  /** Route files of endpoints. Tests call them by URL, browser code by their definition. */
  #handlersOf({ path, name }: Reference): Reference[] {
    const declaration = this.#graph.get(path)?.declarations.get(name);
    if (!declaration) return [];
    if (path.startsWith('e2e/'))
      return routesIn(declaration.text, this.#routes).map((route) => ({ path: route, name: '*' }));
    if (!/^(app\/(?!api\/)|components\/|lib\/client\/)/.test(path)) return [];
    return declaration.uses.flatMap((reference) => this.#handlers.get(referenceKey(reference)) ?? []);
  }
}

const referenceKey = ({ path, name }: Reference): string => `${path} ${name}`;

/** Whether a text names a page: it contains the folders of the page's URL as words, in the singular or plural. */
function isNamed(path: string, text: string): boolean {
  const folders = path
    .split('/')
    .slice(1, -1)
    .filter((name) => !/^[[(]/.test(name));
  if (folders.length === 0) return text.includes("goto('/')");
  return folders.every((name) => {
    const [first, tail] = [name.slice(0, 1), name.slice(1).replace(/s$/, '').replaceAll('-', '[- ]?')];
    // `(?!\()` excludes calls, such as `tasks()`.
    return new RegExp(String.raw`\b[${first}${first.toUpperCase()}]${tail}s?\b(?!\()`).test(text);
  });
}

/** The routes whose URLs are in a text, such as `/api/stream/${id}`. */
function routesIn(text: string, routes: readonly string[]): string[] {
  const urlPathParts = [...new Set(text.match(/\/api(\/([\w-]+|\$\{[^}]*\}))+/g))].map((path) =>
    path.split('/').slice(1),
  );
  return routes.filter((route) => {
    const folders = route.split('/').slice(1, -1);
    return urlPathParts.some(
      (parts) =>
        parts.length === folders.length &&
        parts.every(
          (part, index) => part === folders[index] || part[0] === '$' || folders[index]?.[0] === '[',
        ),
    );
  });
}

/** Files that differ from `since`, committed or not, and new files. */
export function listChangedFiles(since: string): string[] {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean);
  const baseCommit = git('merge-base', since, 'HEAD')[0] ?? since;
  return [...git('diff', '--name-only', baseCommit), ...git('ls-files', '--others', '--exclude-standard')];
}

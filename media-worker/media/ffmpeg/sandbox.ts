import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readlinkSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import type { ProgramFiles } from './plan';

/** Features of this system that confine a program, detected once per process. */
export interface SandboxSupport {
  /** Whether setpriv can end a program when its parent ends. */
  readonly parentDeath: boolean;
  /** Whether setpriv can drop every capability permanently. */
  readonly dropCapabilities: boolean;
  /** Whether prlimit can limit memory, CPU time, file size and open files. */
  readonly limits: boolean;
  /** Options of unshare that create a user namespace where one is needed; null if namespaces are unavailable. */
  readonly namespaces: readonly string[] | null;
  /** Layout of the file view; null: the program sees the whole disk. */
  readonly view: FileView | null;
}

/** System paths in a file view. */
export interface FileView {
  /** Empty folder where the view is mounted, visible only in the program's mount namespace. */
  readonly root: string;
  /** System paths mounted read-only. */
  readonly system: readonly string[];
  /** Targets of symbolic links at the root: `usr/lib` creates `/lib`. */
  readonly links: readonly string[];
}

const TRIAL_TIMEOUT_MS = 30_000;
/** Folders of programs and libraries; package stores are shown only if ffmpeg is installed in them. */
const systemFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];
const packageStores = ['/nix/store', '/gnu/store'];
const systemFiles = ['/etc/alternatives', '/etc/ld.so.cache'];
const devices = ['/dev/urandom'];

/** Options of a bind mount by kind of path. */
const mountOptions = {
  system: 'bind,ro,nosuid,nodev',
  device: 'bind',
  read: 'bind,ro,nosuid,nodev,noexec',
  write: 'bind,nosuid,nodev,noexec',
};
type Mount = readonly [kind: keyof typeof mountOptions, path: string];

let detectedSupport: SandboxSupport | null = null;

/** The features of this system. The first call detects them, which takes as long as starting ffmpeg. */
export function detectSandboxSupport(): SandboxSupport {
  return (detectedSupport ??= detectSupport());
}

/** The protections that the sandbox lacks on this system, as sentences for the log; empty if the sandbox is complete. */
export function missingProtections(support: SandboxSupport): string[] {
  return [
    ...(support.parentDeath
      ? []
      : ['ffmpeg may outlive this process when it is killed (setpriv is missing)']),
    ...(support.limits ? [] : ['ffmpeg runs without limits on memory and CPU time (prlimit is missing)']),
    ...(support.namespaces ? [] : ['ffmpeg can reach the network (namespaces are not allowed here)']),
    ...(support.view
      ? []
      : ['ffmpeg sees every file that this user can read (a file view cannot be mounted)']),
    ...(support.dropCapabilities || process.getuid?.() !== 0
      ? []
      : ['ffmpeg keeps the capabilities of root (setpriv cannot drop them)']),
  ];
}

/**
 * Arguments for unshare and its command: without network, with only the program's own files, or both; empty if the system
 * does not support it.
 */
export function confinementArgs(
  support: SandboxSupport,
  { network, read, write, executable = [] }: ProgramFiles & { readonly network: boolean },
): string[] {
  const { namespaces, view } = support;
  if (!namespaces || (network && !view)) return [];
  const unshare = ['unshare', ...namespaces, ...(network ? [] : ['-n'])];
  if (!view) return unshare;
  const isHidden = (path: string) => !isInSystem(view, path);
  const mounts: Mount[] = [
    ...view.system.map((path): Mount => ['system', path]),
    ...devices.map((path): Mount => ['device', path]),
    ...write.map((path): Mount => ['write', path]),
    ...read.filter(isHidden).map((path): Mount => ['read', path]),
    ...executable.filter(isHidden).map((path): Mount => ['system', path]),
  ];
  // Shorter paths first, because a read-only path may be inside a writable folder, and the reverse.
  const orderedMounts = mounts.sort(([, a], [, b]) => a.length - b.length);
  return [...unshare, '-m', 'sh', '-c', buildViewScript(view, orderedMounts), 'view'];
}

/** Whether a path is part of the system folders, such as a program in /usr/bin. */
const isInSystem = ({ system }: FileView, path: string): boolean =>
  system.some((shownPath) => `${path}/`.startsWith(`${shownPath}/`));

/**
 * A script that builds a root folder in memory with the program, its libraries and its own files, and runs its
 * arguments there. A fault of the script ends like a killed program, because it must not look like invalid media.
 * The script starts few programs, because renditions wait for it.
 */
function buildViewScript({ root, links }: FileView, mounts: readonly Mount[]): string {
  const paths = mounts.map(([, path]) => path);
  const files = paths.filter((path) => !statSync(path, { throwIfNoEntry: false })?.isDirectory());
  const folders = paths.map((path) => `.${files.includes(path) ? dirname(path) : path}`);
  const mountTable = mounts.map(([kind, path]) =>
    [escapePath(path), escapePath(join(root, path)), 'none', mountOptions[kind], '0', '0'].join(' '),
  );
  return [
    `mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev sandbox ${quoteWord(root)}`,
    `cd ${quoteWord(root)}`,
    `mkdir -p ${[...new Set(folders)].map(quoteWord).join(' ')}`,
    ...(links.length > 0 ? [`ln -s ${links.map(quoteWord).join(' ')} .`] : []),
    ...files.map((path) => `: >>${quoteWord(`.${path}`)}`),
    `printf '%s\\n' ${mountTable.map(quoteWord).join(' ')} >mounts`,
    'mount -a -T mounts',
    'exec chroot . "$@"',
  ]
    .join(' && ')
    .concat('\nkill -KILL $$');
}

/** A path with whitespace and backslashes as octal escapes, as in fstab. */
const escapePath = (path: string): string =>
  path.replaceAll(/[\s\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** A word of a shell command, in quotes if it needs them. */
export const quoteWord = (word: string): string =>
  /^[\w./=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** Arguments of setpriv that drop all capabilities permanently. */
export const dropCapabilities = ['--no-new-privs', '--bounding-set=-all', '--inh-caps=-all'];

function detectSupport(): SandboxSupport {
  const support = {
    parentDeath: canRun('setpriv', ['--pdeathsig', 'KILL', 'true']),
    limits: canRun('prlimit', ['--nofile=256', '--cpu=10', 'true']),
    dropCapabilities: canRun('setpriv', ['--no-new-privs', '--inh-caps=-all', 'true']),
    view: null,
  };
  const view = prepareView();
  // Root needs no user namespace, in which files of other users would be inaccessible.
  for (const namespaces of [[], ['-r']]) {
    const wholeSandbox = { ...support, namespaces, view };
    const [program = '', ...args] = confinementArgs(wholeSandbox, { network: false, read: [], write: [] });
    const dropArgs = ['setpriv', ...dropCapabilities];
    if (canRun(program, [...args, ...dropArgs, 'ffmpeg', '-version']))
      return { ...wholeSandbox, dropCapabilities: true };
    if (canRun(program, [...args, 'ffmpeg', '-version'])) return { ...wholeSandbox, dropCapabilities: false };
  }
  const namespaces = [[], ['-r']].find((options) => canRun('unshare', [...options, '-n', 'true'])) ?? null;
  return { ...support, namespaces };
}

function canRun(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'ignore', timeout: TRIAL_TIMEOUT_MS }).status === 0;
}

/** Creates the folder for views, and finds the system paths that they show. */
function prepareView(): FileView {
  const root = join(scratchFolder(), 'root');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const isLink = (path: string) => lstatSync(path).isSymbolicLink();
  const folders = systemFolders.filter((path) => existsSync(path));
  const shownPaths = ['/usr', ...folders.filter((path) => !isLink(path)), ...packageStores, ...systemFiles];
  const system = shownPaths.filter((path) => existsSync(path));
  const links = folders.filter(isLink).map((path) => readlinkSync(path).replace(/^\//, ''));
  return { root, links, system: [...system, ...programFolders(system)] };
}

/** The folder of a manually installed ffmpeg, and the folder that a symbolic link to it is in. */
function programFolders(shownPaths: readonly string[]): string[] {
  const findScript =
    'for p in ffmpeg ffprobe; do f=$(command -v "$p") && echo "$f" && readlink -f "$f"; done';
  const paths = spawnSync('sh', ['-c', findScript], {
    encoding: 'utf8',
    timeout: TRIAL_TIMEOUT_MS,
  }).stdout.split('\n');
  const folders = paths.filter((path) => path.startsWith('/')).map((path) => dirname(path));
  return [...new Set(folders)].filter(
    (folder) =>
      !['/', ...systemFolders].includes(folder) &&
      !shownPaths.some((path) => `${folder}/`.startsWith(`${path}/`)),
  );
}

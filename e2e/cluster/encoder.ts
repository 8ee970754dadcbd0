import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ClusterNode } from './node';

const RETRY_DELAY_MS = 1_000;

/** Creates a video of 40 s with H.264 and AAC, with a keyframe every 2 s. */
export async function createSourceFile(directory: string): Promise<string> {
  const file = join(directory, 'source.mp4');
  const videoArgs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '60',
    '-b:v',
    '600k',
    '-pix_fmt',
    'yuv420p',
  ];
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=30', '-f', 'lavfi', '-i', 'sine=440'];
  const args = ['-v', 'error', ...inputs, '-t', '40', ...videoArgs, '-bf', '0', '-c:a', 'aac', file];
  await promisify(execFile)('ffmpeg', args, { timeout: 180_000 });
  return file;
}

/** Starts an ffmpeg that publishes a file in a loop. It is killed when this process dies. */
function spawnPublisher(
  source: string,
  node: ClusterNode,
  streamKey: string,
  outputArgs: readonly string[] = [],
): ChildProcess {
  const input = ['-v', 'error', '-nostdin', '-re', '-stream_loop', '-1', '-i', source, ...outputArgs];
  const url = `${node.environment.RTMP_URL}/${streamKey}`;
  const args = ['--pdeathsig', 'KILL', 'ffmpeg', ...input, '-c', 'copy', '-f', 'flv', url];
  return spawn('setpriv', args, { stdio: 'ignore' });
}

/**
 * Publishes the given number of seconds with one connection.
 * @returns whether the node accepted all of them
 */
export async function publishOnce(
  source: string,
  node: ClusterNode,
  { streamKey, seconds }: { readonly streamKey: string; readonly seconds: number },
): Promise<boolean> {
  const child = spawnPublisher(source, node, streamKey, ['-t', String(seconds)]);
  // 30 s for a slow machine.
  const timer = setTimeout(() => child.kill('SIGKILL'), (seconds + 30) * 1_000);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearTimeout(timer);
  return code === 0;
}

/** An encoder that connects to its next node when it is disconnected or rejected, like an encoder behind a load balancer. */
export class Encoder {
  #nodes: readonly ClusterNode[];
  #child: ChildProcess | undefined;
  readonly #stopping = new AbortController();
  readonly #whenStopped: Promise<void>;

  constructor(
    private readonly sourceFile: string,
    private readonly streamKey: string,
    nodes: readonly ClusterNode[],
  ) {
    this.#nodes = nodes;
    this.#whenStopped = this.#run();
  }

  /** Closes the connection, and connects to the given nodes from now on. Without nodes the encoder ends. */
  moveTo(nodes: readonly ClusterNode[]): void {
    this.#nodes = nodes;
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('SIGTERM');
    await this.#whenStopped;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const nodes = this.#nodes;
      const node = nodes[attempt % nodes.length];
      if (!node) return;
      this.#child = spawnPublisher(this.sourceFile, node, this.streamKey);
      await once(this.#child, 'exit');
      await sleep(RETRY_DELAY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}

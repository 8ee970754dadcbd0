import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A multistream target: an ffmpeg process that listens for one publisher at a time and discards its media. */
export class RtmpTarget {
  readonly #whenStopped: Promise<void>;
  #isRunning = true;
  #child: ChildProcess | undefined;

  constructor(private readonly url: string) {
    this.#whenStopped = this.#listen();
  }

  async #listen(): Promise<void> {
    while (this.#isRunning) {
      const listen = ['-listen', '1', '-timeout', '3000', '-f', 'flv', '-i', this.url];
      const args = [
        '--pdeathsig',
        'KILL',
        'ffmpeg',
        '-v',
        'error',
        ...listen,
        '-c',
        'copy',
        '-f',
        'null',
        '-',
      ];
      this.#child = spawn('setpriv', args, { detached: true, stdio: 'ignore' });
      await once(this.#child, 'close');
      await sleep(200);
    }
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    this.#child?.kill('SIGKILL');
    await this.#whenStopped;
  }
}

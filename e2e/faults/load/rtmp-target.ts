import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A multistream target: ffmpeg listens for one publisher at a time. */
export class RtmpTarget {
  readonly #done: Promise<void>;
  #on = true;
  #child: ChildProcess | undefined;

  constructor(private readonly url: string) {
    this.#done = this.#listen();
  }

  async #listen(): Promise<void> {
    while (this.#on) {
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
    this.#on = false;
    this.#child?.kill('SIGKILL');
    await this.#done;
  }
}

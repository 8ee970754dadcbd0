import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublishedStream, Stage } from '../stage';

/** docs/operations.md of the run: how long an encoder may be away without ending its session. */
export const reconnectSeconds = 15;
/** An encoder that was cut off comes back after this long, as OBS does by default in the same order. */
const retryMs = 1_500;

export interface PublishAttempt {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly failed: boolean;
  readonly said: string;
}

/** A real encoder: ffmpeg sends a numbered source in real time, and starts again when it is cut off. */
export class Publisher {
  readonly attempts: PublishAttempt[] = [];
  readonly #startedAt = Date.now();
  readonly #done: Promise<void>;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly stream: PublishedStream,
  ) {
    this.#done = stream.mode === 'steady' ? this.#publishSteadily() : this.#publishShortly();
  }

  /** `SIGINT` ends the publish, `SIGKILL` cuts the connection. */
  async stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill(signal);
    await this.#done;
  }

  #on(): boolean {
    return !this.#stopping.signal.aborted;
  }

  /** The source goes on where the clock is, so that a frame number also says when it was sent. */
  async #publishSteadily(): Promise<void> {
    while (this.#on()) {
      const seconds = (Date.now() - this.#startedAt) / 1_000;
      // Sources have a keyframe every 2 s.
      const from = Math.floor(seconds / 2) * 2;
      if (from > this.stage.media.sourceSeconds - 4) return;
      await this.#publish(from);
      if (this.#on()) await sleep(retryMs);
    }
  }

  async #publishShortly(): Promise<void> {
    const { random, media } = this.stage;
    while (this.#on()) {
      const from = 2 * Math.floor(random.between(0, (media.sourceSeconds - 16) / 2));
      await this.#publish(from, random.between(4, 12));
      const within = random.next() < 0.5;
      const pause = within ? random.between(1, 6) : reconnectSeconds + random.between(1, 5);
      for (let waited = 0; waited < pause && this.#on(); waited += 0.25) await sleep(250);
    }
  }

  async #publish(from: number, seconds?: number): Promise<void> {
    const { service, media, api } = this.stage;
    const length = seconds === undefined ? [] : ['-t', seconds.toFixed(1)];
    const source = ['-re', '-ss', String(from), ...length, '-i', media.sources[this.stream.source] ?? ''];
    const output = ['-c', 'copy', '-f', 'flv', '-flvflags', 'no_duration_filesize'];
    const url = `${service.rtmpUrl}/${this.stream.entry.streamKey}`;
    const args = ['--pdeathsig', 'KILL', 'ffmpeg', '-v', 'error', ...source, ...output, url];
    const startedAt = Date.now();
    const child = spawn('setpriv', args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    api.counters.publishes += 1;
    let said = '';
    child.stderr.on('data', (text: Buffer) => (said = (said + text.toString()).slice(0, 600)));
    const [code] = (await once(child, 'close')) as [number | null];
    this.#child = undefined;
    this.attempts.push({ startedAt, endedAt: Date.now(), failed: code !== 0, said: said.trim() });
  }
}

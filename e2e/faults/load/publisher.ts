import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublishedStream, Stage } from '../stage';

/** Value of SESSION_RECONNECT_SECONDS in the run. An encoder that reconnects within this time continues its session. */
export const RECONNECT_SECONDS = 15;
/** Delay before an encoder reconnects, similar to the default of OBS. */
const RETRY_MS = 1_500;

export interface PublishAttempt {
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** Unix milliseconds. */
  readonly endedAt: number;
  readonly failed: boolean;
  /** First 600 characters of the errors of ffmpeg. */
  readonly output: string;
}

/** Publishes a source with numbered frames with ffmpeg in real time, and reconnects after a broken connection. */
export class Publisher {
  readonly attempts: PublishAttempt[] = [];
  readonly #startedAt = Date.now();
  /** Resolves when the publisher has stopped, or when its source has ended. */
  readonly whenDone: Promise<void>;
  readonly #stopping = new AbortController();
  #child: ChildProcess | undefined;

  constructor(
    private readonly stage: Stage,
    readonly stream: PublishedStream,
    private readonly streamKey = stream.entry.streamKey,
  ) {
    this.whenDone = stream.mode === 'steady' ? this.#publishSteadily() : this.#publishWithPauses();
  }

  /** `SIGINT` unpublishes, `SIGKILL` breaks the connection. */
  async stop(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill(signal);
    await this.whenDone;
  }

  #isRunning(): boolean {
    return !this.#stopping.signal.aborted;
  }

  /**
   * Publishes until the source ends. After a broken connection the source continues at the position of the clock, so a
   * frame number shows when the frame was sent.
   */
  async #publishSteadily(): Promise<void> {
    while (this.#isRunning()) {
      const seconds = (Date.now() - this.#startedAt) / 1_000;
      // Sources have a keyframe every 2 s.
      const startSeconds = Math.floor(seconds / 2) * 2;
      if (startSeconds > this.stage.media.sourceSeconds - 4) return;
      await this.#publish(startSeconds);
      if (this.#isRunning()) await sleep(RETRY_MS);
    }
  }

  /** Publishes for 4 to 12 s at a time. Half of the pauses are short enough to continue the session. */
  async #publishWithPauses(): Promise<void> {
    const { random, media } = this.stage;
    while (this.#isRunning()) {
      const startSeconds = 2 * Math.floor(random.between(0, (media.sourceSeconds - 16) / 2));
      await this.#publish(startSeconds, random.between(4, 12));
      const continuesSession = random.next() < 0.5;
      const pauseSeconds = continuesSession ? random.between(1, 6) : RECONNECT_SECONDS + random.between(1, 5);
      for (let waitedSeconds = 0; waitedSeconds < pauseSeconds && this.#isRunning(); waitedSeconds += 0.25)
        await sleep(250);
    }
  }

  async #publish(startSeconds: number, durationSeconds?: number): Promise<void> {
    const { service, media, api } = this.stage;
    const durationArgs = durationSeconds === undefined ? [] : ['-t', durationSeconds.toFixed(1)];
    const source = [
      '-re',
      '-ss',
      String(startSeconds),
      ...durationArgs,
      '-i',
      media.sources[this.stream.source] ?? '',
    ];
    const format = ['-c', 'copy', '-f', 'flv', '-flvflags', 'no_duration_filesize'];
    const url = `${service.rtmpUrl}/${this.streamKey}`;
    const args = ['--pdeathsig', 'KILL', 'ffmpeg', '-v', 'error', ...source, ...format, url];
    const startedAt = Date.now();
    const child = spawn('setpriv', args, { detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    this.#child = child;
    api.counters.publishes += 1;
    let output = '';
    child.stderr.on('data', (text: Buffer) => (output = (output + text.toString()).slice(0, 600)));
    const [code] = (await once(child, 'close')) as [number | null];
    this.#child = undefined;
    this.attempts.push({ startedAt, endedAt: Date.now(), failed: code !== 0, output: output.trim() });
  }
}

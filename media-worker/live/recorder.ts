import { setTimeout as delay } from 'node:timers/promises';
import type { WorkerContext } from '@/lib/context';
import { sourceProfile } from '@/lib/core/profile-rules';
import type { AuthorizedPublish } from '@/lib/streams';
import type { Companion, CompanionHost, StartCompanion } from './companion';
import type { Rendition } from './rendition';
import { SessionRecording, type RecordingBook } from './session-recording';
import { longestEndMs } from './transcode-job';
import type { WindowSegment } from './window-segment';

export interface RecorderOptions {
  readonly storage: WorkerContext['storage'];
  /** Bytes that may still be stored; not positive: recording stops. */
  readonly room: () => Promise<number>;
  readonly book: RecordingBook;
  /** How long the end of a session waits for what is still being stored; the rest goes on by itself. */
  readonly lingerMs?: number;
}

const roomMs = 5_000;
const defaultLingerMs = 1_000;

/**
 * Stores every closed segment of every rendition of a recorded session. Never in the live path: it takes what is closed
 * anyway, and when that cannot be stored it stops with a reason while the stream plays on. The next publish tries again.
 */
export const createRecorder =
  (options: RecorderOptions): StartCompanion =>
  (host) =>
    new Recorder(host, options);

class Recorder implements Companion {
  readonly #host: CompanionHost;
  readonly #options: RecorderOptions;
  readonly #windows = new Map<Rendition, () => void>();
  readonly #stopListening: () => void;
  readonly #watch: NodeJS.Timeout;
  #publish: AuthorizedPublish | null = null;
  #recording: SessionRecording | null = null;
  /** Of recordings before this one. */
  #finishing: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | null = null;

  constructor(host: CompanionHost, options: RecorderOptions) {
    this.#host = host;
    this.#options = options;
    this.#stopListening = host.renditions.observe({
      added: (rendition) => this.#listen(rendition),
      removed: (rendition) => this.#forget(rendition),
    });
    this.#watch = setInterval(() => void this.#lookAtRoom(), roomMs);
  }

  follow(publish: AuthorizedPublish): void {
    const before = this.#publish;
    this.#publish = publish;
    if (before?.run !== publish.run) this.#begin(publish);
    this.#report();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    // What is made of the source ends a little after it, on a busy machine seconds.
    await Promise.race([this.#othersIdle(), delay(longestEndMs, undefined, { ref: false })]);
    clearInterval(this.#watch);
    this.#stopListening();
    for (const rendition of [...this.#windows.keys()]) this.#forget(rendition);
    const linger = delay(this.#options.lingerMs ?? defaultLingerMs, undefined, { ref: false });
    await Promise.race([Promise.all([this.#finishing, this.#recording?.finish()]), linger]);
  }

  /** Resolves when nothing more is made of the source. */
  async #othersIdle(): Promise<void> {
    const others = [...this.#windows.keys()].filter(({ name }) => name !== sourceProfile);
    await Promise.all(others.map((rendition) => rendition.idle()));
  }

  #begin({ sessionId, settings }: AuthorizedPublish): void {
    const before = this.#recording;
    if (before && before.sessionId === sessionId && !before.failed) return;
    this.#finishing = Promise.all([this.#finishing, before?.finish()]);
    this.#recording = null;
    if (!settings.record) return;
    const { storage, book } = this.#options;
    const { log } = this.#host;
    this.#recording = new SessionRecording({ sessionId, storage, book, log, changed: () => this.#report() });
    void this.#lookAtRoom();
  }

  #listen(rendition: Rendition): void {
    const stop = rendition.window.observe({ onSegment: (segment) => this.#store(rendition, segment) });
    this.#windows.set(rendition, stop);
  }

  #forget(rendition: Rendition): void {
    this.#windows.get(rendition)?.();
    this.#windows.delete(rendition);
  }

  #store(rendition: Rendition, segment: WindowSegment): void {
    const wanted = this.#publish?.settings.recordedRenditions;
    if (rendition.name !== sourceProfile && wanted && !wanted.includes(rendition.name)) return;
    this.#recording?.add(rendition, segment);
  }

  async #lookAtRoom(): Promise<void> {
    const recording = this.#recording;
    if (!recording || recording.failed) return;
    const room = await this.#options.room().catch(() => 1);
    if (room <= 0) recording.fail('The disk is almost full.');
  }

  #report(): void {
    const {
      recordNext: next,
      profiles = [],
      recordedRenditions: wanted = [],
    } = this.#publish?.settings ?? {};
    const issues: string[] = [];
    for (const name of this.#recording ? wanted : []) {
      if (name === sourceProfile || profiles.some((profile) => profile.name === name)) continue;
      issues.push(
        `Rendition "${name}" of recordingSpec is not recorded: it is none of the stream's profiles.`,
      );
    }
    if (this.#recording?.trouble) issues.push(`The recording stopped: ${this.#recording.trouble}`);
    if (next === true) issues.push('Recording was switched on: it begins with the next session.');
    if (next === false) issues.push('Recording was switched off: this session is recorded to its end.');
    this.#host.report(issues);
  }
}

import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage';
import { Publisher } from './publisher';
import type { RtmpTarget } from './rtmp-target';
import { uploadByPut } from './upload';
import { uploadByTus } from './upload-tus';
import { Viewer, type Outage } from './viewer';
import { importFile, workOnAsset } from './work-on-assets';
import { writeStream } from './write-streams';

/** How publishers end: they say goodbye, they are cut off, or the live process is killed meanwhile. */
export type Ending = 'goodbye' | 'cut' | 'goodbye-while-live-dies';

/** Everything that uses the service during a round. */
export class Load {
  readonly #publishers: Publisher[];
  readonly #viewers: Viewer[];
  readonly #loops: Promise<void>[];
  #on = true;

  constructor(
    private readonly stage: Stage,
    private readonly targets: readonly RtmpTarget[],
  ) {
    this.#publishers = stage.streams.map((stream) => new Publisher(stage, stream));
    this.#viewers = stage.streams.map((stream) => new Viewer(stage, stream));
    this.#loops = [
      this.#repeat('write', () => writeStream(stage, () => this.#on)),
      this.#repeat('write', () => writeStream(stage, () => this.#on)),
      this.#repeat('upload', () => uploadByPut(stage)),
      this.#repeat('tus', () => uploadByTus(stage)),
      this.#repeat('import', () => importFile(stage)),
      this.#repeat('work', () => workOnAsset(stage)),
    ];
  }

  async #repeat(name: string, work: () => Promise<void>): Promise<void> {
    while (this.#on) {
      try {
        await work();
      } catch (error) {
        // What an answer should have been and was not, in the words of zod.
        const why = error instanceof Error ? error.message : String(error);
        this.stage.journal.problem('an answer of the API is not what its contract says', name, { why });
        await sleep(1_000);
      }
    }
  }

  async stopPublishers(ending: Ending): Promise<void> {
    const signal = ending === 'cut' ? 'SIGKILL' : 'SIGINT';
    await Promise.all(this.#publishers.map((publisher) => publisher.stop(signal)));
  }

  /** The service must be up: every write that has begun is finished. */
  async stop(): Promise<void> {
    this.#on = false;
    await Promise.all(this.#loops);
    await Promise.all(this.#viewers.map((viewer) => viewer.stop()));
    await Promise.all(this.targets.map((target) => target.stop()));
    this.#noteRefusals();
  }

  /** Longer than `atLeastMs`, of viewers whose publisher never rests. */
  outages(atLeastMs: number): Outage[] {
    const steady = new Set(
      this.stage.streams.flatMap(({ mode, entry }) => (mode === 'steady' ? entry.name : [])),
    );
    return this.#viewers
      .flatMap(({ outages }) => outages)
      .filter(({ stream, ms }) => ms >= atLeastMs && steady.has(stream));
  }

  /** A publish that ended right after it began: refused, or nothing listened. */
  #noteRefusals(): void {
    for (const { attempts } of this.#publishers)
      for (const { startedAt, endedAt, failed, said } of attempts)
        if (failed && endedAt - startedAt < 2_500 && said !== '')
          this.stage.journal.incident('publish refused', { said });
  }
}

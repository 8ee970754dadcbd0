import { setTimeout as sleep } from 'node:timers/promises';
import type { Stage } from '../stage';
import { Publisher } from './publisher';
import type { RtmpTarget } from './rtmp-target';
import { uploadByPut } from './upload';
import { uploadByTus } from './upload-tus';
import { Viewer, type Outage } from './viewer';
import { importFile, workOnAsset } from './work-on-assets';
import { writeStream } from './write-streams';

/** How publishes end: by unpublishing, by a broken connection, or by unpublishing while the live process is killed. */
export type Ending = 'unpublish' | 'disconnect' | 'unpublish-while-live-dies';

/** Clients, publishers and viewers that use the service during a round. */
export class Load {
  readonly #publishers: Publisher[];
  readonly #viewers: Viewer[];
  readonly #loops: Promise<void>[];
  #isRunning = true;

  constructor(
    private readonly stage: Stage,
    private readonly targets: readonly RtmpTarget[],
  ) {
    this.#publishers = stage.streams.flatMap((stream) => {
      const { streamKey, backupStreamKey = [] } = stream.entry;
      return [streamKey, backupStreamKey].flat().map((key) => new Publisher(stage, stream, key));
    });
    this.#viewers = stage.streams.map((stream) => {
      const viewer = new Viewer(stage, stream);
      const publishers = this.#publishers.filter((publisher) => publisher.stream === stream);
      void Promise.all(publishers.map(({ whenDone }) => whenDone)).then(() => viewer.stopCountingOutages());
      return viewer;
    });
    this.#loops = [
      this.#repeat('write', () => writeStream(stage, () => this.#isRunning)),
      this.#repeat('write', () => writeStream(stage, () => this.#isRunning)),
      this.#repeat('upload', () => uploadByPut(stage)),
      this.#repeat('tus', () => uploadByTus(stage)),
      this.#repeat('import', () => importFile(stage)),
      this.#repeat('work', () => workOnAsset(stage)),
    ];
  }

  async #repeat(name: string, work: () => Promise<void>): Promise<void> {
    while (this.#isRunning) {
      try {
        await work();
      } catch (error) {
        // Operations handle errors of requests, so this error is a response that does not match its schema.
        const reason = error instanceof Error ? error.message : String(error);
        this.stage.journal.reportProblem('a response of the API violates its contract', name, { reason });
        await sleep(1_000);
      }
    }
  }

  /** Ends all publishes and waits until the publishers have stopped. */
  async stopPublishers(ending: Ending): Promise<void> {
    const signal = ending === 'disconnect' ? 'SIGKILL' : 'SIGINT';
    await Promise.all(this.#publishers.map((publisher) => publisher.stop(signal)));
  }

  /** Waits until running operations are complete, so the service must be healthy. Then stops viewers and targets. */
  async stop(): Promise<void> {
    this.#isRunning = false;
    await Promise.all(this.#loops);
    await Promise.all(this.#viewers.map((viewer) => viewer.stop()));
    await Promise.all(this.targets.map((target) => target.stop()));
    this.#recordRejections();
  }

  /** Finds ended outages of at least `atLeastMs` of streams that are published without pauses. */
  findOutages(atLeastMs: number): Outage[] {
    const steadyStreamNames = new Set(
      this.stage.streams.flatMap(({ mode, entry }) => (mode === 'steady' ? entry.name : [])),
    );
    return this.#viewers
      .flatMap(({ outages }) => outages)
      .filter(({ streamName, durationMs }) => durationMs >= atLeastMs && steadyStreamNames.has(streamName));
  }

  /** Records publishes that failed less than 2.5 s after their start as incidents. */
  #recordRejections(): void {
    for (const { attempts } of this.#publishers)
      for (const { startedAt, endedAt, failed, output } of attempts)
        if (failed && endedAt - startedAt < 2_500 && output !== '')
          this.stage.journal.recordIncident('publish rejected', { output });
  }
}

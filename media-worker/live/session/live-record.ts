import type { SystemContext } from '@/lib/domain/context';
import { unsupportedMediaRejection } from '@/lib/core/streams/publish-admission';
import { notifyOriginsOfEnd } from '@/lib/domain/nodes';
import type { ProgramInput, ProgramReport } from '@/lib/core/streams/program-state';
import {
  markActive,
  markIdle,
  recordRejection,
  recordInputSwitch,
  reportIssues,
  reportProgram,
  recordSlateEnd,
  recordSlateStart,
  type AuthorizedPublish,
} from '@/lib/domain/streams';
import { WriteQueue } from './write-queue';

/**
 * Writes the state of one live session to the database, in order, without blocking the stream. Writes of `active`
 * and `idle` are retried until they succeed or the process exits, other writes are attempted once. For a preview,
 * only the end is written.
 */
export class LiveRecord {
  readonly #ctx: SystemContext;
  readonly #nodeId: string;
  readonly #queue: WriteQueue;

  /** @param signal ends the retries when the process exits */
  constructor(ctx: SystemContext, nodeId: string, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#nodeId = nodeId;
    this.#queue = new WriteQueue(ctx.log, signal);
  }

  markActive(publish: AuthorizedPublish, issues: readonly string[]): void {
    if (publish.preview) return;
    void this.#queue.addUntilWritten('active', () =>
      markActive(this.#ctx, { ...this.#publishKey(publish), issues }),
    );
  }

  recordIssues(publish: AuthorizedPublish, issues: readonly string[]): void {
    if (publish.preview) return;
    const { streamId, publishNumber } = publish;
    void this.#queue.addOnce('issues', () => reportIssues(this.#ctx, { streamId, publishNumber, issues }));
  }

  /** Records the input on air and the connected encoders. */
  recordProgram(publish: AuthorizedPublish, program: ProgramReport): void {
    if (publish.preview) return;
    void this.#queue.addOnce('program', () =>
      reportProgram(this.#ctx, { ...this.#publishKey(publish), program }),
    );
  }

  /** Records a switch to another encoder. */
  recordSwitch(publish: AuthorizedPublish, to: ProgramInput): void {
    if (publish.preview) return;
    void this.#queue.addOnce('switched', () =>
      recordInputSwitch(this.#ctx, { ...this.#publishKey(publish), to }),
    );
  }

  recordSlate(publish: AuthorizedPublish, isOn: boolean): void {
    if (publish.preview) return;
    const verb = isOn ? recordSlateStart : recordSlateEnd;
    void this.#queue.addOnce('slate', () => verb(this.#ctx, this.#publishKey(publish)));
  }

  /**
   * Records that the publish is ended because of its media.
   * @param address IP address of the encoder
   */
  recordRejection({ streamId, preview }: AuthorizedPublish, message: string, address: string): void {
    if (preview) return;
    const rejection = { streamId, address, ...unsupportedMediaRejection(message) };
    void this.#queue.addOnce('rejected', () => recordRejection(this.#ctx, rejection));
  }

  /**
   * Records the end of the publish, after origins were notified to stop serving the stream. Resolves when the end is
   * written, or abandoned when the process exits; then a sweep records it.
   */
  markIdle(publish: AuthorizedPublish): Promise<void> {
    const notification = notifyOriginsOfEnd(this.#ctx, [publish.playbackId]);
    return this.#queue.addUntilWritten('idle', async () => {
      await notification;
      await markIdle(this.#ctx, this.#publishKey(publish));
    });
  }

  #publishKey({ streamId, publishNumber }: AuthorizedPublish) {
    return { streamId, publishNumber, nodeId: this.#nodeId };
  }
}

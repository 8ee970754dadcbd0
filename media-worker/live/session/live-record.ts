import { setTimeout as delay } from 'node:timers/promises';
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

const RETRY_DELAY_MS = 500;
const MAX_WAITING_WRITES = 32;

/**
 * Writes the state of one live session to the database, in order, without blocking the stream. Writes of `active`
 * and `idle` are retried until they succeed or the process exits. Other writes are attempted once, and are dropped
 * while too many writes wait. For a preview, only the end is written.
 */
export class LiveRecord {
  readonly #ctx: SystemContext;
  readonly #nodeId: string;
  readonly #signal: AbortSignal;
  #queue: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** @param signal ends the retries when the process exits */
  constructor(ctx: SystemContext, nodeId: string, signal: AbortSignal) {
    this.#ctx = ctx;
    this.#nodeId = nodeId;
    this.#signal = signal;
  }

  active(publish: AuthorizedPublish, issues: readonly string[]): void {
    if (publish.preview) return;
    void this.#enqueue('active', true, () => markActive(this.#ctx, { ...this.#publishKey(publish), issues }));
  }

  issues(publish: AuthorizedPublish, issues: readonly string[]): void {
    if (publish.preview) return;
    const { streamId, publishNumber } = publish;
    void this.#enqueue('issues', false, () => reportIssues(this.#ctx, { streamId, publishNumber, issues }));
  }

  /** Records the input on air and the connected encoders. */
  program(publish: AuthorizedPublish, program: ProgramReport): void {
    if (publish.preview) return;
    void this.#enqueue('program', false, () =>
      reportProgram(this.#ctx, { ...this.#publishKey(publish), program }),
    );
  }

  /** Records a switch to another encoder. */
  onSwitch(publish: AuthorizedPublish, to: ProgramInput): void {
    if (publish.preview) return;
    void this.#enqueue('switched', false, () =>
      recordInputSwitch(this.#ctx, { ...this.#publishKey(publish), to }),
    );
  }

  slate(publish: AuthorizedPublish, isOn: boolean): void {
    if (publish.preview) return;
    const verb = isOn ? recordSlateStart : recordSlateEnd;
    void this.#enqueue('slate', false, () => verb(this.#ctx, this.#publishKey(publish)));
  }

  /**
   * Records that the publish is ended because of its media.
   * @param address IP address of the encoder
   */
  onReject({ streamId, preview }: AuthorizedPublish, message: string, address: string): void {
    if (preview) return;
    const rejection = { streamId, address, ...unsupportedMediaRejection(message) };
    void this.#enqueue('rejected', false, () => recordRejection(this.#ctx, rejection));
  }

  /**
   * Records the end of the publish, after origins were notified to stop serving the stream. Resolves when the end is
   * written, or abandoned when the process exits; then a sweep records it.
   */
  idle(publish: AuthorizedPublish): Promise<void> {
    const notification = notifyOriginsOfEnd(this.#ctx, [publish.playbackId]);
    return this.#enqueue('idle', true, async () => {
      await notification;
      await markIdle(this.#ctx, this.#publishKey(publish));
    });
  }

  #publishKey({ streamId, publishNumber }: AuthorizedPublish) {
    return { streamId, publishNumber, nodeId: this.#nodeId };
  }

  #enqueue(name: string, repeat: boolean, write: () => Promise<unknown>): Promise<void> {
    if (!repeat && this.#waiting >= MAX_WAITING_WRITES) return this.#queue;
    this.#waiting += 1;
    this.#queue = this.#queue.then(async () => {
      await this.#write(name, repeat, write);
      this.#waiting -= 1;
    });
    return this.#queue;
  }

  async #write(name: string, repeat: boolean, write: () => Promise<unknown>): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await write();
        return;
      } catch (error) {
        if (attempt === 1) this.#ctx.log.warn({ err: error, fact: name }, 'stream state not written');
        if (!repeat || this.#signal.aborted) return;
        await delay(RETRY_DELAY_MS);
      }
    }
  }
}

import { setTimeout as delay } from 'node:timers/promises';
import type { SystemContext } from '@/lib/domain/context';
import { unsupportedMedia } from '@/lib/core/streams/publish-admission';
import { notifyOriginsOfEnd } from '@/lib/domain/nodes';
import type { ProgramInput, ProgramReport } from '@/lib/core/streams/program-state';
import {
  markActive,
  markIdle,
  recordRejection,
  recordSwitched,
  reportIssues,
  reportProgram,
  slateEnded,
  slateStarted,
  type AuthorizedPublish,
} from '@/lib/domain/streams';

const retryMs = 500;
const maxWaiting = 32;

/**
 * Writes the state of one live session to the database, in order. Writes of `active` and `idle` are retried until they
 * succeed, without blocking the stream. For a preview only the end is written.
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
    void this.#add('active', true, () => markActive(this.#ctx, { ...this.#guard(publish), issues }));
  }

  issues(publish: AuthorizedPublish, issues: readonly string[]): void {
    if (publish.preview) return;
    const { streamId, publishNumber } = publish;
    void this.#add('issues', false, () => reportIssues(this.#ctx, { streamId, publishNumber, issues }));
  }

  /** Records the input on air and the connected encoders. */
  program(publish: AuthorizedPublish, program: ProgramReport): void {
    if (publish.preview) return;
    void this.#add('program', false, () => reportProgram(this.#ctx, { ...this.#guard(publish), program }));
  }

  /** Records a switch to another encoder. */
  onSwitch(publish: AuthorizedPublish, to: ProgramInput): void {
    if (publish.preview) return;
    void this.#add('switched', false, () => recordSwitched(this.#ctx, { ...this.#guard(publish), to }));
  }

  slate(publish: AuthorizedPublish, isOn: boolean): void {
    if (publish.preview) return;
    const verb = isOn ? slateStarted : slateEnded;
    void this.#add('slate', false, () => verb(this.#ctx, this.#guard(publish)));
  }

  /**
   * Records that the publish is ended because of its media.
   * @param address address of the encoder
   */
  onReject({ streamId, preview }: AuthorizedPublish, message: string, address: string): void {
    if (preview) return;
    const rejection = { streamId, address, ...unsupportedMedia(message) };
    void this.#add('rejected', false, () => recordRejection(this.#ctx, rejection));
  }

  /**
   * Records the end, once no origin serves the stream. Resolves when it is written, or abandoned at the end of the
   * process, in which case a sweep finishes it.
   */
  idle(publish: AuthorizedPublish): Promise<void> {
    const notification = notifyOriginsOfEnd(this.#ctx, [publish.playbackId]);
    return this.#add('idle', true, async () => {
      await notification;
      await markIdle(this.#ctx, this.#guard(publish));
    });
  }

  #guard({ streamId, publishNumber }: AuthorizedPublish) {
    return { streamId, publishNumber, nodeId: this.#nodeId };
  }

  #add(name: string, repeat: boolean, write: () => Promise<unknown>): Promise<void> {
    if (!repeat && this.#waiting >= maxWaiting) return this.#queue;
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
        await delay(retryMs);
      }
    }
  }
}

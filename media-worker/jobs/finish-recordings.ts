import type { WorkerContext } from '@/lib/context';
import {
  claimRecording,
  completeRecordings,
  keepMadeRecording,
  listDueRecordings,
  postponeRecording,
  removeRecordings,
  renewRecording,
  type RecordingClaim,
} from '@/lib/recordings';
import { makeRecording, RecordingError } from '../recording/make-recording';
import { Spool } from '../recording/spool';

/** Copying is bound by the disk: more at once would only wait for each other. */
const mostAtOnce = 2;
const renewMs = 3_000;
/** Hours of media are copied in seconds to a few minutes; whoever needs longer hangs. */
const longestMs = 30 * 60_000;

/**
 * Finishes recordings whose session is over: files, asset, `ready`. The rows say which are due, so nothing is lost with
 * a process, and a claim in the row keeps two from doing the same.
 */
export class FinishRecordings {
  readonly #ctx: WorkerContext;
  readonly #spool: Spool;
  readonly #running = new Map<string, { readonly work: Promise<void>; readonly abort: AbortController }>();

  constructor(ctx: WorkerContext) {
    this.#ctx = ctx;
    this.#spool = new Spool(ctx.settings.dataDir);
  }

  /** How many it works on. */
  get running(): number {
    return this.#running.size;
  }

  /** Begins what is due, tells what became ready, removes what is not wanted any more. */
  async look(): Promise<void> {
    const ctx = this.#ctx;
    const free = mostAtOnce - this.#running.size;
    // The row of a session says so too, unless the database was away when its segments were written.
    const waiting = await this.#spool.sessionIds();
    for (const id of free > 0 ? await listDueRecordings(ctx, free, waiting) : []) {
      const claim = await claimRecording(ctx, id);
      if (claim) this.#begin(claim);
    }
    await completeRecordings(ctx);
    await removeRecordings(ctx);
  }

  /** Gives up what runs: another process, or the next one, begins it again when the claim is over. */
  async close(): Promise<void> {
    const running = [...this.#running.values()];
    for (const { abort } of running) abort.abort();
    await Promise.all(running.map(({ work }) => work));
  }

  #begin(claim: RecordingClaim): void {
    const abort = new AbortController();
    const work = this.#finish(claim, abort).finally(() => this.#running.delete(claim.session.id));
    this.#running.set(claim.session.id, { work, abort });
  }

  /** Never rejects. */
  async #finish(claim: RecordingClaim, abort: AbortController): Promise<void> {
    const ctx = this.#ctx;
    const log = ctx.log.child({ sessionId: claim.session.id });
    const renewing = setInterval(() => void this.#renew(claim, abort), renewMs);
    const begin = ctx.clock.monotonic();
    try {
      const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(longestMs)]);
      const made = await makeRecording(claim.session.id, { storage: ctx.storage, signal });
      const kept = await keepMadeRecording(ctx, claim, made);
      const ms = Math.round(ctx.clock.monotonic() - begin);
      log.info({ kept, ms, gaps: made.gaps.length }, 'recording made');
    } catch (error) {
      if (abort.signal.aborted) log.info('recording left to another turn');
      else await this.#postpone(claim, error);
    } finally {
      clearInterval(renewing);
    }
  }

  async #renew(claim: RecordingClaim, abort: AbortController): Promise<void> {
    // Without an answer the claim may be over, or not: the writes at the end find out.
    const ours = await renewRecording(this.#ctx, claim).catch(() => true);
    if (!ours) abort.abort();
  }

  async #postpone(claim: RecordingClaim, error: unknown): Promise<void> {
    const { log } = this.#ctx;
    const known = error instanceof RecordingError;
    const reason = known ? error.message : 'Its files could not be made.';
    try {
      const failed = await postponeRecording(this.#ctx, claim, { reason, final: known && error.final });
      log.warn({ err: error, sessionId: claim.session.id, failed }, 'recording not made');
    } catch (unwritten) {
      log.warn({ err: unwritten, sessionId: claim.session.id }, 'recording not made, and not said so');
    }
  }
}

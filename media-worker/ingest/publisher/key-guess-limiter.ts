import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Semaphore } from '@/media-worker/media/ffmpeg/semaphore';
import type { PublisherLimits } from './publisher-limits';

/** Time for which a wrong key counts. */
const WINDOW_MS = 60_000;
/** Maximum number of groups remembered. Beyond it, the group that was used least recently is forgotten. */
const MAX_GROUPS = 10_000;
/** Maximum number of admitted keys remembered. */
const MAX_KNOWN_KEYS = 10_000;
/** Maximum number of unknown keys of one group that wait to be checked; further keys are rejected. */
const MAX_WAITING = 1_000;

type Limits = Pick<PublisherLimits, 'maxWrongKeys' | 'serialChecksMs'>;

/** The state of one address group: an IPv4 address or an IPv6 /64. */
interface Group {
  /** When each wrong key was last tried (monotonic ms), by its SHA-256 digest. Keys are not kept after their connection. */
  readonly rejectedAtMs: Map<string, number>;
  /**
   * `concurrentChecks` limits checks of unknown keys to a few at a time, and `serialChecks` to one until
   * `serialUntilMs` (monotonic).
   */
  readonly concurrentChecks: Semaphore;
  readonly serialChecks: Semaphore;
  waitingCount: number;
  serialUntilMs: number;
}

/** Result of a check. `ok`: the key opens a stream. `wrong`: the key opens none. `busy`: the key was not checked. */
export type KeyCheck<T> =
  | { readonly result: 'ok'; readonly value: T }
  /** `startsSerialChecks`: the group has tried too many wrong keys, so its keys are now checked one by one. */
  | { readonly result: 'wrong'; readonly startsSerialChecks: boolean }
  | { readonly result: 'busy' };

/**
 * Slows down an address group that tries many keys, without rejecting correct ones. A key cannot be guessed in any
 * realistic time, so only the load of the guesses needs a limit. Different keys are counted instead of attempts,
 * because an encoder that retries one wrong key is not guessing. Previously admitted keys are checked immediately.
 */
export class KeyGuessLimiter {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #groups = new LRUCache<string, Group>({ max: MAX_GROUPS });
  readonly #admittedKeys = new LRUCache<string, true>({ max: MAX_KNOWN_KEYS });

  /** @param now returns monotonic milliseconds */
  constructor(limits: Limits, now: () => number) {
    this.#limits = limits;
    this.#now = now;
  }

  /**
   * Checks a key, after waiting if the group checks too many keys.
   * @param groupName name of the address group
   * @param check resolves with null if the key is wrong
   * @throws errors of `check`
   */
  async check<T extends object | string>(
    groupName: string,
    key: string,
    check: () => Promise<T | null>,
  ): Promise<KeyCheck<T>> {
    const digest = createHash('sha256').update(key).digest('base64');
    const group = this.#groupOf(groupName);
    if (!this.#admittedKeys.has(digest) && group.waitingCount >= MAX_WAITING) return { result: 'busy' };
    const value = this.#admittedKeys.has(digest) ? await check() : await this.#checkInQueue(group, check);
    if (value !== null) {
      this.#admittedKeys.set(digest, true);
      group.rejectedAtMs.delete(digest);
      return { result: 'ok', value };
    }
    this.#admittedKeys.delete(digest);
    return { result: 'wrong', startsSerialChecks: this.#recordRejection(group, digest) };
  }

  async #checkInQueue<T>(group: Group, check: () => Promise<T>): Promise<T> {
    group.waitingCount += 1;
    try {
      return await group.concurrentChecks.run(() =>
        group.serialUntilMs > this.#now() ? group.serialChecks.run(check) : check(),
      );
    } finally {
      group.waitingCount -= 1;
    }
  }

  #recordRejection(group: Group, digest: string): boolean {
    const monotonicMs = this.#now();
    for (const [rejectedDigest, rejectionMs] of group.rejectedAtMs)
      if (monotonicMs - rejectionMs >= WINDOW_MS) group.rejectedAtMs.delete(rejectedDigest);
    group.rejectedAtMs.set(digest, monotonicMs);
    if (group.rejectedAtMs.size <= this.#limits.maxWrongKeys) return false;
    group.rejectedAtMs.clear();
    const wasSerial = group.serialUntilMs > monotonicMs;
    group.serialUntilMs = monotonicMs + this.#limits.serialChecksMs;
    return !wasSerial;
  }

  #groupOf(groupName: string): Group {
    let group = this.#groups.get(groupName);
    if (!group) {
      const rejectedAtMs = new Map<string, number>();
      const concurrentChecks = new Semaphore(this.#limits.maxWrongKeys);
      group = {
        rejectedAtMs,
        concurrentChecks,
        serialChecks: new Semaphore(1),
        waitingCount: 0,
        serialUntilMs: -Infinity,
      };
      this.#groups.set(groupName, group);
    }
    return group;
  }
}

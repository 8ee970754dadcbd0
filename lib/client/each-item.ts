import { ApiError } from './api-error';

/** Concurrent requests of one bulk action. */
const atOnce = 5;
/** How often one item waits for its turn when the server says "too many requests", and for how long at most. */
const mostWaits = 5;
const longestWaitSeconds = 60;

export interface Outcome {
  /** Identifiers of those it worked for. */
  readonly done: readonly string[];
  /** The others, with what the server said. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

interface EachOptions {
  /** How many are over, well or not. */
  readonly onProgress?: (over: number) => void;
  readonly sleep?: (ms: number) => Promise<void>;
}

/**
 * Does the same with many objects, a few at a time. What fails stops none of the others; where the server asks for
 * patience, it gets it.
 */
export async function eachItem(
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  { onProgress, sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)) }: EachOptions = {},
): Promise<Outcome> {
  const left = [...ids];
  const done: string[] = [];
  const failed: { id: string; reason: string }[] = [];
  const work = async () => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await retryWhenLimited(act, id, sleep);
        done.push(id);
      } catch (error) {
        failed.push({ id, reason: error instanceof Error ? error.message : String(error) });
      }
      onProgress?.(done.length + failed.length);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return { done, failed };
}

async function retryWhenLimited(
  act: (id: string) => Promise<unknown>,
  id: string,
  sleep: (ms: number) => Promise<void>,
): Promise<void> {
  for (let waits = 0; ; waits += 1) {
    try {
      await act(id);
      return;
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 429) || waits === mostWaits) throw error;
      await sleep(Math.min(Math.max(error.retryAfter ?? 1, 1), longestWaitSeconds) * 1_000);
    }
  }
}

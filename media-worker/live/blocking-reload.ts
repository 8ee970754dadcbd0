import type { LiveWindow } from './window';

/** The place in a window that a request waits for. */
export interface Awaited {
  readonly msn: number;
  /** Null: the whole segment. */
  readonly part: number | null;
}

/** `too_far`: further ahead than allowed. `late`: it did not arrive in time. */
export type Waited = 'there' | 'too_far' | 'late';

/** Further ahead than this a request is a mistake (rfc8216bis §6.2.5.2): segments, and seconds in parts. */
const segmentsAhead = 2;
const partsAheadSeconds = 3;
/** How long a request is held, in target durations (rfc8216bis §6.2.5.2). */
const timeoutTargets = 3;

/** Resolves when the window has what is awaited, and at the latest after three target durations. */
export function waitFor(window: LiveWindow, awaited: Awaited): Promise<Waited> {
  const { nextMsn, open, targetDuration, partTargetMs } = window.view();
  const newest = open?.msn ?? nextMsn - 1;
  if (has(window, awaited)) return Promise.resolve('there');
  const partsAhead = Math.ceil((partsAheadSeconds * 1_000) / Math.min(1_000, partTargetMs));
  const partsThere = open?.msn === awaited.msn ? open.parts.length : 0;
  if (awaited.msn > newest + segmentsAhead) return Promise.resolve('too_far');
  if (awaited.part !== null && awaited.part >= partsThere + partsAhead) return Promise.resolve('too_far');
  return new Promise((resolve) => {
    const end = (result: Waited) => {
      clearTimeout(timer);
      stop();
      resolve(result);
    };
    const look = () => {
      if (has(window, awaited)) end('there');
    };
    const stop = window.observe({ onPart: look, onSegment: look, onEnd: look });
    const timer = setTimeout(() => end('late'), timeoutTargets * targetDuration * 1_000);
  });
}

/** A segment that is closed with fewer parts than awaited counts: the next part belongs to the next segment. */
function has(window: LiveWindow, { msn, part }: Awaited): boolean {
  const { open, nextMsn, ended } = window.view();
  if (ended) return true;
  const firstUnfinished = open?.msn ?? nextMsn;
  if (firstUnfinished > msn) return true;
  return part !== null && open?.msn === msn && open.parts.length > part;
}

/** Whether this part is the one that the playlist hints at: a request for it waits (rfc8216bis §6.2.6). */
export function isHinted(window: LiveWindow, msn: number, part: number): boolean {
  const { open, nextMsn, ended } = window.view();
  if (ended) return false;
  return open ? open.msn === msn && open.parts.length === part : nextMsn === msn && part === 0;
}

import { heightKey } from '@/lib/core/audience/read-cmcd';
import type { EngineFacts } from '../engine/engine';
import type { Phase } from '../engine/phases';

/** Measurements in a report besides the state; null if unknown. */
interface Measures {
  readonly facts: EngineFacts | null;
  /** Latency in seconds. */
  readonly latency: number | null;
}

interface Reported {
  readonly url: string;
  /** Random id of this view. */
  readonly sessionId: string;
  /** Time of the play request and of the first frame, in Unix milliseconds. */
  readonly startedAt: number;
  readonly shownAt: number;
  readonly measure: () => Measures;
}

const intervalMs = 20_000;
/** Lines kept while the network is down. */
const maxWaiting = 50;
/** Lines kept for a report on request; at most 65,536 characters. */
const maxKept = 200;
/** Statuses after which reporting stops: not allowed, gone, or not supported by an edge. */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

const states = { playing: 'p', pause: 'a', seeking: 'k', waiting: 'r', ended: 'e' } as const;

/**
 * Reports playback to the origin, from the first frame on, as lines of Common Media Client Data, version 2
 * (CTA-5004-B). The content type text/plain avoids a CORS preflight, and works with sendBeacon when the page closes.
 */
export function reportPlayback(video: HTMLVideoElement, reporter: Reported) {
  const { url, sessionId, startedAt, shownAt, measure } = reporter;
  const controller = new AbortController();
  const { signal } = controller;
  let waiting: string[] = [];
  let pendingLines: string[] = [];
  let sequence = 0;
  let state = '';
  let isSending = false;

  const add = (event: 'ps' | 't', at: number) => {
    sequence += 1;
    const { facts, latency } = measure();
    const keys: readonly (readonly [string, string | number | null])[] = [
      ['br', listOf(facts?.bitrate)],
      [heightKey, video.videoHeight ? `"${video.videoHeight}"` : null],
      ['e', event],
      ['lb', listOf(facts?.lowestBitrate)],
      ['ltc', latency === null || Number.isFinite(video.duration) ? null : Math.round(latency * 1000)],
      ['mtp', listOf(facts?.bandwidth)],
      ['sid', `"${sessionId}"`],
      ['sn', sequence],
      ['sta', state],
      ['ts', at],
      ['v', 2],
    ];
    const entries = keys.filter(([, value]) => value !== null);
    const line = entries.map((pair) => pair.join('=')).join(',');
    waiting = [...waiting, line].slice(-maxWaiting);
    pendingLines = [...pendingLines, line].slice(-maxKept);
  };
  const send = async () => {
    if (isSending || signal.aborted || waiting.length === 0) return;
    isSending = true;
    const batch = waiting;
    waiting = [];
    const status = await fetch(url, { method: 'POST', body: batch.join('\n'), keepalive: true }).then(
      (answer) => answer.status,
      () => 0,
    );
    isSending = false;
    if (isFinal(status)) controller.abort();
    else if (status === 0 || status >= 400) waiting = [...batch, ...waiting].slice(-maxWaiting);
    else void send();
  };
  const say = (next: string, at = Date.now()) => {
    if (next === state) return;
    state = next;
    add('ps', at);
    void send();
  };
  const leave = () => {
    if (signal.aborted) return;
    if (state !== 'e') {
      state = 'q';
      add('ps', Date.now());
    }
    if (waiting.length > 0) navigator.sendBeacon(url, waiting.join('\n'));
    waiting = [];
  };

  state = 's';
  add('ps', startedAt);
  say('p', shownAt);
  if (video.paused) say('a');
  for (const [name, code] of Object.entries(states))
    video.addEventListener(name, () => say(code), { signal });
  window.addEventListener('pagehide', leave, { signal });
  const timer = setInterval(() => {
    if (state === 'e' || state === 'q') return;
    add('t', Date.now());
    void send();
  }, intervalMs);
  signal.addEventListener('abort', () => clearInterval(timer));
  return {
    /** All reports of this view. */
    lines: (): readonly string[] => {
      add('t', Date.now());
      return pendingLines;
    },
    /** Reports the current phase of the player. */
    phase: (phase: Phase) => {
      if (phase === 'offline' || phase === 'not-found' || phase === 'refused') say('e');
    },
    close: () => {
      leave();
      controller.abort();
    },
  };
}

/** Bitrates in kbit/s as a list with one item, the syntax of version 2. */
const listOf = (bits: number | null | undefined): string | null =>
  bits ? `(${Math.round(bits / 1000)})` : null;

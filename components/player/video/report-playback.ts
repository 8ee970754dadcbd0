import { heightKey } from '@/lib/core/audience/read-cmcd';
import type { EngineFacts } from '../engine/engine';
import type { Phase } from '../engine/phases';
import { bufferedUntil } from './timeline';

/** Measurements that a report contains besides the state; null if unknown. */
interface Measurements {
  readonly facts: EngineFacts | null;
  /** Latency in seconds. */
  readonly latency: number | null;
}

/** View of which playback is reported. */
interface ReportedView {
  /** URL that reports are sent to. */
  readonly url: string;
  /** Random id of this view, which CMCD calls a session. */
  readonly sessionId: string;
  /** Time of the play request, in Unix milliseconds. */
  readonly startedAt: number;
  /** Time of the first frame, in Unix milliseconds. */
  readonly shownAt: number;
  readonly measure: () => Measurements;
}

/** Interval between two reports. */
const REPORT_INTERVAL_MS = 20_000;
/** Largest number of unsent lines. Older lines are dropped. */
const MAX_UNSENT_LINES = 50;
/** Largest number of lines that a viewer can share as a report, which has at most 65,536 characters. */
const MAX_KEPT_LINES = 200;
/**
 * Whether reporting stops after a response with this status: the reports are rejected, or an edge does not accept
 * them.
 */
const isFinal = (status: number): boolean => status >= 400 && status < 500 && status !== 429;

/** Values of the key `sta` (state) by the event of the <video>; also `s` (starting) and `q` (quit). */
const stateCodes = { playing: 'p', pause: 'a', seeking: 'k', waiting: 'r', ended: 'e' } as const;

/**
 * Reports playback to the origin, from the first frame on, as lines of Common Media Client Data, version 2
 * (CTA-5004-B). The content type text/plain avoids a CORS preflight, and works with sendBeacon when the page closes.
 */
export function reportPlayback(video: HTMLVideoElement, view: ReportedView) {
  const { url, sessionId, startedAt, shownAt, measure } = view;
  const controller = new AbortController();
  const { signal } = controller;
  let unsentLines: string[] = [];
  let keptLines: string[] = [];
  let sequence = 0;
  let reportedState = '';
  let isSending = false;

  // `ps`: the state has changed. `t`: the interval has passed.
  const addLine = (event: 'ps' | 't', unixMs: number) => {
    sequence += 1;
    const { facts, latency } = measure();
    // bl: buffer length (ms); br, lb: current and lowest bitrate (kbit/s); ltc: live latency (ms); mtp: measured throughput
    // (kbit/s); sid: session id; sn: sequence number; sta: state; ts: time.
    const fields: readonly (readonly [string, string | number | null])[] = [
      ['bl', bufferListOf(video)],
      ['br', kbpsListOf(facts?.bitrate)],
      [heightKey, video.videoHeight ? `"${video.videoHeight}"` : null],
      ['e', event],
      ['lb', kbpsListOf(facts?.lowestBitrate)],
      ['ltc', latency === null || Number.isFinite(video.duration) ? null : Math.round(latency * 1000)],
      ['mtp', kbpsListOf(facts?.bandwidth)],
      ['sid', `"${sessionId}"`],
      ['sn', sequence],
      ['sta', reportedState],
      ['ts', unixMs],
      ['v', 2],
    ];
    const knownFields = fields.filter(([, value]) => value !== null);
    const line = knownFields.map((pair) => pair.join('=')).join(',');
    unsentLines = [...unsentLines, line].slice(-MAX_UNSENT_LINES);
    keptLines = [...keptLines, line].slice(-MAX_KEPT_LINES);
  };
  const send = async () => {
    if (isSending || signal.aborted || unsentLines.length === 0) return;
    isSending = true;
    const batch = unsentLines;
    unsentLines = [];
    // 0: no response.
    const status = await fetch(url, { method: 'POST', body: batch.join('\n'), keepalive: true }).then(
      (response) => response.status,
      () => 0,
    );
    isSending = false;
    if (isFinal(status)) controller.abort();
    else if (status === 0 || status >= 400) unsentLines = [...batch, ...unsentLines].slice(-MAX_UNSENT_LINES);
    else void send();
  };
  const reportState = (newState: string, unixMs = Date.now()) => {
    if (newState === reportedState) return;
    reportedState = newState;
    addLine('ps', unixMs);
    void send();
  };
  const sendLastLines = () => {
    if (signal.aborted) return;
    if (reportedState !== 'e') {
      reportedState = 'q';
      addLine('ps', Date.now());
    }
    if (unsentLines.length > 0) navigator.sendBeacon(url, unsentLines.join('\n'));
    unsentLines = [];
  };

  reportedState = 's';
  addLine('ps', startedAt);
  reportState('p', shownAt);
  if (video.paused) reportState('a');
  for (const [name, code] of Object.entries(stateCodes))
    video.addEventListener(name, () => reportState(code), { signal });
  window.addEventListener('pagehide', sendLastLines, { signal });
  const timer = setInterval(() => {
    if (reportedState === 'e' || reportedState === 'q') return;
    addLine('t', Date.now());
    void send();
  }, REPORT_INTERVAL_MS);
  signal.addEventListener('abort', () => clearInterval(timer));
  return {
    /** Adds a line for the current state and returns the last 200 lines of this view. */
    addCurrentLine: (): readonly string[] => {
      addLine('t', Date.now());
      return keptLines;
    },
    /** Reports the end of playback if the phase means that there is nothing left to play. */
    onPhase: (phase: Phase) => {
      if (phase === 'offline' || phase === 'not-found' || phase === 'rejected') reportState('e');
    },
    close: () => {
      sendLastLines();
      controller.abort();
    },
  };
}

/** The buffer ahead of the playhead in milliseconds, as a list with one item; null for WebRTC, which has no ranges. */
const bufferListOf = (video: HTMLVideoElement): string | null =>
  video.buffered.length > 0 ? `(${Math.round((bufferedUntil(video) - video.currentTime) * 1000)})` : null;

/** A bitrate in kbit/s as a list with one item, the syntax of version 2; null if it is unknown. */
const kbpsListOf = (bitrate: number | null | undefined): string | null =>
  bitrate ? `(${Math.round(bitrate / 1000)})` : null;

import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { omitUndefined } from '@/lib/core/omit-undefined';
import {
  type RecordedPeriod,
  type RecordedSegment,
  initPath,
  periodPath,
  segmentPath,
  sourceFolder,
} from '@/lib/core/sessions/recorded-segment';
import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { Logger } from '@/lib/infra/logger';
import { isFull } from '@/lib/infra/storage/disk-space';
import type { Rendition } from '@/media-worker/media/packaging/rendition';
import type { LiveWindow } from '@/media-worker/media/packaging/window';
import type { WindowSegment } from '@/media-worker/media/packaging/window-segment';
import type { RecordedFile, Spool } from './spool';

/**
 * Folder of a rendition. A transcoded rendition gets a hash, because its name may contain characters that a
 * storage key may not.
 */
export function recordedRenditionFolder(rendition: string): string {
  if (rendition === sourceProfile) return sourceFolder;
  return `r-${createHash('sha256').update(rendition).digest('hex').slice(0, 16)}`;
}

/** The file of a segment. Its content is what viewers of the live stream get. */
export function segmentFile(rendition: string, segment: WindowSegment): RecordedFile {
  const recordedSegment: RecordedSegment = {
    period: periodNameOf(segment),
    msn: segment.msn,
    startMs: segment.startMs,
    durationMs: segment.durationMs,
    wallClockMs: segment.wallClockMs,
    independent: segment.independent,
  };
  return {
    file: segmentPath(recordedRenditionFolder(rendition), recordedSegment),
    content: segment.parts.flatMap(({ data }) => data),
  };
}

/** Files that a segment needs to be played, and that are written first: the facts of its period and the init segment. */
export function periodFiles(
  rendition: string,
  segment: WindowSegment,
  window: Pick<LiveWindow, 'measure'>,
): RecordedFile[] {
  const folder = recordedRenditionFolder(rendition);
  const period = periodNameOf(segment);
  const measurement = window.measure();
  const { videoRange = 'SDR' } = measurement ?? {};
  const recordedPeriod: RecordedPeriod = {
    rendition,
    codecs: measurement?.codecs ?? [],
    ...(measurement?.resolution ? { resolution: measurement.resolution } : {}),
    ...omitUndefined({ frameRate: measurement?.frameRate }),
    ...(videoRange === 'SDR' ? {} : { videoRange }),
    ...(segment.period.tracks.audio?.isFilled ? { soundAdded: true } : {}),
  };
  return [
    { file: periodPath(folder, period), content: [Buffer.from(JSON.stringify(recordedPeriod))] },
    { file: initPath(folder, period), content: [segment.period.initData] },
  ];
}

/** Name of the segment's period, which its init segment contains: `7-1` for `init-7-1.mp4`. */
function periodNameOf({ init }: Pick<WindowSegment, 'init'>): string {
  return init.slice('init-'.length, -'.mp4'.length);
}

/** Writes the failure of a recording to the database. */
export interface RecordingStatusWriter {
  reportFailure(sessionId: string, reason: string): Promise<void>;
}

/** The methods of the spool that a recording uses. */
export type RecordingSpool = Pick<Spool, 'enter' | 'leave' | 'write' | 'setSuccessor'>;

interface SessionRecordingOptions {
  readonly sessionId: string;
  readonly spool: RecordingSpool;
  /** Writes the failure to the database. Absent if the session has no recording status. */
  readonly statusWriter?: RecordingStatusWriter;
  readonly log: Logger;
  /** Called when the recording fails. */
  readonly onChange: () => void;
}

const RETRY_DELAY_MS = 2_000;
const MAX_REPORT_ATTEMPTS = 30;

/** Records one session in this process. */
export class SessionRecording {
  readonly #options: SessionRecordingOptions;
  /** Keys `<rendition>/<period>` of the periods whose init segment is in the spool. */
  readonly #startedPeriods = new Set<string>();
  #failureReason: string | null = null;
  #finished = false;

  constructor(options: SessionRecordingOptions) {
    this.#options = options;
    options.spool.enter(options.sessionId);
  }

  get sessionId(): string {
    return this.#options.sessionId;
  }

  get failed(): boolean {
    return this.#failureReason !== null;
  }

  /** The reason why recording stopped; null while it runs. */
  get failureReason(): string | null {
    return this.#failureReason;
  }

  /**
   * Writes a segment. When this returns, the segment is recorded even if this process is killed, unless the
   * recording has failed.
   */
  add({ name, window }: Pick<Rendition, 'name' | 'window'>, segment: WindowSegment): void {
    if (this.#finished || this.failed) return;
    const { sessionId, spool } = this.#options;
    try {
      const periodKey = `${name}/${periodNameOf(segment)}`;
      if (!this.#startedPeriods.has(periodKey)) {
        for (const file of periodFiles(name, segment, window)) spool.write(sessionId, file);
        this.#startedPeriods.add(periodKey);
      }
      spool.write(sessionId, segmentFile(name, segment));
    } catch (error) {
      this.#options.log.error({ err: error, sessionId }, 'recorded segment not written');
      this.fail(isFull(error) ? 'The disk is full.' : 'The segments could not be written to disk.');
    }
  }

  /** Stops recording. The session gets this reason, a sentence for the team. */
  fail(reason: string): void {
    if (this.failed) return;
    this.#failureReason = reason;
    this.#options.log.error({ sessionId: this.sessionId, reason }, 'recording stopped');
    this.#options.onChange();
    if (this.#options.statusWriter) void this.#reportFailure(this.#options.statusWriter, reason);
  }

  /** Ends the recording, because the session has no further segments. */
  finish(): void {
    if (this.#finished) return;
    this.#finished = true;
    this.#options.spool.leave(this.sessionId);
  }

  /** Writes the failure to the database, and retries because the database may be unavailable while the disk is full. */
  async #reportFailure(statusWriter: RecordingStatusWriter, reason: string): Promise<void> {
    for (let attempt = 0; attempt < MAX_REPORT_ATTEMPTS; attempt++) {
      try {
        await statusWriter.reportFailure(this.sessionId, reason);
        return;
      } catch {
        await delay(RETRY_DELAY_MS, undefined, { ref: false });
      }
    }
  }
}

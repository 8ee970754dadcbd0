import { sourceProfile } from '@/lib/core/renditions/profile-rules';
import type { AuthorizedPublish } from '@/lib/domain/streams';
import type {
  SessionFeature,
  FeatureHost,
  StartFeature,
} from '@/media-worker/media/packaging/session-feature';
import type { Rendition } from '@/media-worker/media/packaging/rendition';
import { within } from '@/lib/infra/within';
import { SessionRecording, type RecordingStatusWriter, type RecordingSpool } from './session-recording';
import { maxEndMs } from '@/media-worker/live/transcode/transcode-job';
import type { WindowSegment } from '@/media-worker/media/packaging/window-segment';

export interface RecorderOptions {
  readonly spool: RecordingSpool;
  /** Returns the bytes that can still be written. Recording stops at 0. */
  readonly readFreeBytes: () => Promise<number>;
  readonly statusWriter: RecordingStatusWriter;
}

/** Interval of the checks of free disk space. */
const SPACE_CHECK_INTERVAL_MS = 5_000;
/** Number of remembered slate segments. Renditions lag behind their source by fewer segments. */
const MAX_REMEMBERED_SLATES = 64;

/**
 * Creates the feature that writes the closed segments of a recorded session to the spool, in the same iteration of
 * the event loop in which they are listed. Every segment that a viewer received is therefore recorded, even if the
 * process is killed right after. If the disk is full, the recording stops with a reason while the stream
 * continues, and the next publish starts it again. A session that is not recorded is written the same way while it
 * has DVR (`dvrSeconds`).
 */
export const createRecorder =
  (options: RecorderOptions): StartFeature =>
  (host) =>
    new Recorder(host, options);

class Recorder implements SessionFeature {
  readonly #host: FeatureHost;
  readonly #options: RecorderOptions;
  /** For each observed rendition, the function that stops observing it. */
  readonly #stopObserving = new Map<Rendition, () => void>();
  readonly #stopListening: () => void;
  readonly #spaceTimer: NodeJS.Timeout;
  #publish: AuthorizedPublish | null = null;
  #recording: SessionRecording | null = null;
  #closing: Promise<void> | null = null;
  /** Numbers of the newest segments that contain the slate. */
  readonly #slateMsns = new Set<number>();

  constructor(host: FeatureHost, options: RecorderOptions) {
    this.#host = host;
    this.#options = options;
    this.#stopListening = host.renditions.observe({
      onAdd: (rendition) => this.#listen(rendition),
      onRemove: (rendition) => this.#remove(rendition),
    });
    this.#spaceTimer = setInterval(() => void this.#checkSpace(), SPACE_CHECK_INTERVAL_MS);
  }

  follow(publish: AuthorizedPublish): void {
    const publishBefore = this.#publish;
    this.#publish = publish;
    const sameSession = publishBefore?.sessionId === publish.sessionId;
    const storesSegments = isStored(publish);
    if (
      publishBefore?.publishNumber !== publish.publishNumber ||
      !sameSession ||
      storesSegments !== isStored(publishBefore)
    )
      this.#switchRecording(publish, storesSegments);
    // Segments written after the session ended belong to the recording of the new session.
    if (publishBefore?.publishNumber === publish.publishNumber && !sameSession && this.#recording)
      this.#options.spool.setSuccessor(publishBefore.sessionId, publish.sessionId);
    this.#report();
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    // Renditions end a little after their source; on a busy machine, seconds later.
    await within(maxEndMs, this.#waitForRenditions(), () => undefined);
    clearInterval(this.#spaceTimer);
    this.#stopListening();
    for (const rendition of [...this.#stopObserving.keys()]) this.#remove(rendition);
    this.#recording?.finish();
  }

  /** Resolves when all transcoded renditions have ended. */
  async #waitForRenditions(): Promise<void> {
    const otherRenditions = [...this.#stopObserving.keys()].filter(({ name }) => name !== sourceProfile);
    await Promise.all(otherRenditions.map((rendition) => rendition.waitUntilIdle()));
  }

  /** Ends the previous recording unless it continues, and starts one if the segments of this session are stored. */
  #switchRecording({ sessionId, settings }: AuthorizedPublish, storesSegments: boolean): void {
    const recordingBefore = this.#recording;
    if (
      storesSegments &&
      recordingBefore &&
      recordingBefore.sessionId === sessionId &&
      !recordingBefore.failed
    )
      return;
    recordingBefore?.finish();
    this.#recording = null;
    if (!storesSegments) return;
    const { spool, statusWriter } = this.#options;
    const { log } = this.#host;
    this.#recording = new SessionRecording({
      sessionId,
      spool,
      // Only a recording has a status in the row of its session; DVR has none.
      ...(settings.record ? { statusWriter } : {}),
      log,
      onChange: () => this.#report(),
    });
    void this.#checkSpace();
  }

  #listen(rendition: Rendition): void {
    const stop = rendition.window.observe({ onSegment: (segment) => this.#store(rendition, segment) });
    this.#stopObserving.set(rendition, stop);
  }

  #remove(rendition: Rendition): void {
    this.#stopObserving.get(rendition)?.();
    this.#stopObserving.delete(rendition);
  }

  #store(rendition: Rendition, segment: WindowSegment): void {
    const recordedNames = this.#publish?.settings.recordedRenditions;
    if (rendition.name !== sourceProfile && recordedNames && !recordedNames.includes(rendition.name)) return;
    if (this.#isExcluded(segment)) return;
    this.#recording?.add(rendition, segment);
  }

  /**
   * Whether a segment is not recorded because it contains the slate. Renditions have the segment numbers of their
   * source.
   */
  #isExcluded({ msn, isSlate }: WindowSegment): boolean {
    if (isSlate) {
      this.#slateMsns.add(msn);
      if (this.#slateMsns.size > MAX_REMEMBERED_SLATES) this.#slateMsns.delete(Math.min(...this.#slateMsns));
    }
    return this.#slateMsns.has(msn) && this.#publish?.settings.program?.recordSlate !== true;
  }

  async #checkSpace(): Promise<void> {
    const recording = this.#recording;
    if (!recording || recording.failed) return;
    // If the free space cannot be read, the recording continues.
    const freeBytes = await this.#options.readFreeBytes().catch(() => 1);
    if (freeBytes <= 0) recording.fail('The disk is almost full.');
  }

  #report(): void {
    const {
      recordNext,
      record = false,
      recordRejected: recordRejection,
      dvrRejected,
      profiles = [],
      recordedRenditions: recordedNames = [],
    } = this.#publish?.settings ?? {};
    const issues: string[] = [];
    for (const name of record && this.#recording ? recordedNames : []) {
      if (name === sourceProfile || profiles.some((profile) => profile.name === name)) continue;
      issues.push(
        `Rendition "${name}" of recordingSpec is not recorded: the stream has no profile with this name.`,
      );
    }
    if (this.#recording?.failureReason)
      issues.push(`${record ? 'The recording' : 'DVR'} stopped: ${this.#recording.failureReason}`);
    if (recordRejection !== undefined) issues.push(recordRejection);
    if (dvrRejected !== undefined) issues.push(dvrRejected);
    if (recordNext === true) issues.push('Recording was turned on and starts with the next session.');
    if (recordNext === false) issues.push('Recording was turned off. This session is recorded to its end.');
    this.#host.report(issues);
  }
}

/** Whether the segments of the session are stored, as a recording or for DVR. */
const isStored = ({ settings }: AuthorizedPublish): boolean => settings.record || settings.dvr === true;

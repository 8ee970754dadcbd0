import { wrongOrderIssue } from '@/lib/core/streams/webrtc-issues';
import type { Clock } from '@/lib/infra/clock';
import { codingOf, type Tracks } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { PictureOrder } from './picture-order';
import type { EmitPackagerEvent } from './packager-events';
import { PACKAGER_LIMITS, type PackagerLimits } from './packager-cut';
import { Period } from './packager-period';
import { type Arrival, TrackConfigs, TrackWait } from './packager-tracks';

export interface PackagerOptions {
  readonly emit: EmitPackagerEvent;
  readonly clock: Clock;
  /** Media time of the first frame, ms: the end of the previous publish, so that the timeline never goes back. */
  readonly startMs?: number;
  /** End of the frame of the previous publish that is shown last, ms. The first frame is shown after it. */
  readonly shownEndMs?: number;
  readonly limits?: Partial<PackagerLimits>;
  /** Returns the current maximum duration of a segment, ms: no longer than the duration declared by the playlist. */
  readonly maxSegmentMs?: () => number;
  readonly timedOutput?: TimedOutput;
}

/** Receives the packaged frames of each period, with times on the media timeline. Encoders read from it. */
export interface TimedOutput {
  begin(tracks: Tracks): void;
  frame(frame: MediaPacket): void;
  end(): void;
}

/** Longest pause before a period, ms. */
const MAX_PAUSE_MS = 500;
const LATE_VIDEO_MESSAGE =
  'the video started after the audio, so players restarted. Turn on the video source before the stream';

/**
 * Packages the packets of one publish as CMAF parts and segments with H.264, HEVC or AV1, and AAC. `push` neither
 * blocks nor throws on bad media; problems are emitted as `issue` or `rejected` events.
 */
export class Packager {
  readonly #emit: EmitPackagerEvent;
  readonly #clock: Clock;
  readonly #limits: PackagerLimits;
  readonly #configs: TrackConfigs;
  readonly #pictureOrder = new PictureOrder();
  readonly #timedOutput: TimedOutput | undefined;
  readonly #maxMs: (() => number) | undefined;
  #trackWait: TrackWait | undefined;
  #period: Period | undefined;
  #periodBeganAt = -Infinity;
  #endMs: number;
  #shownEndMs: number;
  #isAudioOnly = false;
  #isOver = false;

  constructor(options: PackagerOptions) {
    const {
      emit,
      clock,
      startMs = 0,
      shownEndMs = -Infinity,
      limits = {},
      maxSegmentMs,
      timedOutput,
    } = options;
    this.#timedOutput = timedOutput;
    this.#maxMs = maxSegmentMs;
    this.#emit = emit;
    this.#clock = clock;
    this.#limits = { ...PACKAGER_LIMITS, ...limits };
    this.#configs = new TrackConfigs(emit);
    this.#trackWait = new TrackWait(this.#limits);
    this.#endMs = startMs;
    this.#shownEndMs = shownEndMs;
  }

  /** End of the frame that is shown last, ms on the media timeline; -Infinity without video. */
  get shownEndMs(): number {
    return this.#shownEndMs;
  }

  push(packet: MediaPacket): void {
    if (this.#isOver) return;
    const usable = this.#configs.addPacket(packet);
    if (usable && packet.kind === 'video') this.#checkOrder(packet);
    if (this.#configs.rejection !== undefined) this.#reject(this.#configs.rejection);
    else if (this.#trackWait) this.#pushWaiting(this.#trackWait, { packet, wallMs: this.#wallMs }, usable);
    else if (usable) this.#pushFrame(packet);
  }

  #checkOrder(packet: VideoPacket): void {
    const { video } = this.#configs.tracks;
    if (video && this.#pictureOrder.isNewlyWrong(packet, video))
      this.#emit({ type: 'issue', code: 'unordered_frames', message: wrongOrderIssue });
  }

  /** Ends the segment before the next frame that can begin one. */
  cutAtNextKeyframe(): void {
    this.#period?.cutAtNextKeyframe();
  }

  /** Ends the publish: the remaining media becomes the last segment. Idempotent. */
  finish(): void {
    if (this.#isOver) return;
    if (this.#trackWait && this.#configs.hasUsableTrack) this.#start(this.#trackWait);
    this.#isOver = true;
    this.#endPeriod();
  }

  #pushWaiting(wait: TrackWait, arrival: Arrival, isUsable: boolean): void {
    const verdict = wait.add(arrival, isUsable, this.#configs);
    if (verdict === 'start') this.#start(wait);
    if (verdict !== 'rejected') return;
    this.#reject(this.#configs.trackProblem ?? 'no configuration of H.264, HEVC, AV1 or AAC arrived');
  }

  /** Closes the media packaged so far; further media is ignored. */
  #reject(message: string): void {
    this.#isOver = true;
    this.#trackWait = undefined;
    this.#endPeriod();
    this.#emit({ type: 'rejected', message });
  }

  #start(wait: TrackWait): void {
    this.#trackWait = undefined;
    for (const { packet, wallMs } of wait.drain()) this.#pushFrame(packet, wallMs);
  }

  /** @param wallMs absent: the packet has just arrived */
  #pushFrame(packet: MediaPacket, wallMs?: number): void {
    if (this.#period && this.#needsNewPeriod(this.#period, packet)) this.#endPeriod();
    if (!this.#period) {
      this.#startPeriod(packet, wallMs);
      return;
    }
    if (!isDecodable(this.#period, packet, this.#configs)) return;
    if (this.#period.push(this.#addParameterSets(packet, this.#period.tracks))) return;
    this.#emit({
      type: 'issue',
      code: 'timestamp_jump',
      message: 'timestamps jumped; the timeline restarts',
    });
    this.#endPeriod();
    this.#startPeriod(packet, wallMs);
  }

  /**
   * Whether a new init segment must begin at this packet: immediately where the video configuration changed,
   * because no later frame decodes with the old one; otherwise at the next frame where a player can start.
   */
  #needsNewPeriod(period: Period, packet: MediaPacket): boolean {
    const { video, audio } = this.#configs.tracks;
    if (period.tracks.video === video && period.tracks.audio === audio) return false;
    if (packet.kind === 'video' && period.tracks.video && period.tracks.video !== video) return true;
    return this.#canStartSegment(packet) && this.#isPeriodLongEnough();
  }

  #canStartSegment(packet: MediaPacket): boolean {
    return packet.kind === 'video' ? packet.key : this.#configs.tracks.video === undefined;
  }

  #isPeriodLongEnough(): boolean {
    return this.#clock.monotonic() - this.#periodBeganAt >= this.#limits.minPeriodMs;
  }

  /** A packet that cannot start a period is dropped, and the next packet is tried. */
  #startPeriod(packet: MediaPacket, wallMs = this.#wallMs): void {
    if (!this.#canStartSegment(packet) || !this.#isPeriodLongEnough()) return;
    const { tracks } = this.#configs;
    this.#periodBeganAt = this.#clock.monotonic();
    if (this.#isAudioOnly && tracks.video)
      this.#emit({ type: 'issue', code: 'late_picture', message: LATE_VIDEO_MESSAGE });
    this.#isAudioOnly = !tracks.video;
    const timedOutput = this.#timedOutput;
    const onFrame = timedOutput && ((frame: MediaPacket) => timedOutput.frame(frame));
    const maxMs = this.#maxMs;
    const start = { tracks, first: packet, startMs: this.#startMs(packet), wallMs, onFrame, maxMs };
    this.#period = new Period(start, this.#limits, this.#emit);
    timedOutput?.begin(tracks);
    this.#period.push(this.#addParameterSets(packet, tracks));
  }

  /**
   * Media time of the first frame of a period. A period can end between frames that are not decoded in the order in which
   * they are shown; then the next one begins later, so that its first frame is shown after all of them.
   */
  #startMs(first: MediaPacket): number {
    const leadMs = Math.max(0, first.pts - first.dts);
    const startMs = Math.max(this.#endMs, Math.ceil(this.#shownEndMs - leadMs));
    return Math.min(startMs, this.#endMs + MAX_PAUSE_MS);
  }

  /**
   * Keyframes of later periods carry their parameter sets, for readers that keep the first configuration: ffmpeg reads the
   * init segments of a playlist as one file. Shaka Player loads the first part of a period by its preload hint, as a part
   * of the period before, and appends no init segment before later parts, because these are not independent.
   */
  #addParameterSets(packet: MediaPacket, { video }: Tracks): MediaPacket {
    if (this.#endMs === 0 || packet.kind !== 'video' || !packet.key || !video) return packet;
    return { ...packet, payload: codingOf(video.coding).withSets(packet.payload, video.record) };
  }

  get #wallMs(): number {
    return this.#clock.now().getTime();
  }

  #endPeriod(): void {
    if (!this.#period) return;
    this.#period.finish();
    const { endMs, shownEndMs } = this.#period.ends;
    this.#endMs = Math.ceil(endMs);
    // A wrong presentation time, which can be hours ahead, must not delay all later periods.
    this.#shownEndMs = Math.min(shownEndMs, this.#endMs + MAX_PAUSE_MS);
    this.#period = undefined;
    this.#timedOutput?.end();
  }
}

/** Whether the init segment of the period has the frame's configuration; other frames wait for the next period. */
function isDecodable(period: Period, { kind }: MediaPacket, configs: TrackConfigs): boolean {
  return period.tracks[kind] !== undefined && period.tracks[kind] === configs.tracks[kind];
}

import { wrongOrderIssue } from '@/lib/core/streams/webrtc-issues';
import type { Clock } from '@/lib/infra/clock';
import { codingOf, type Tracks } from '@/media-worker/media/cmaf/codec-config';
import type { MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';
import { PictureOrder } from './picture-order';
import type { EmitPackagerEvent } from './packager-events';
import { PACKAGER_LIMITS, type PackagerLimits } from './packager-limits';
import { Period } from './packager-period';
import { type Arrival, TrackConfigs, TrackWait } from './packager-tracks';

export interface PackagerOptions {
  readonly emit: EmitPackagerEvent;
  readonly clock: Clock;
  /** Media time of the first frame, ms: the end of the previous publish, so that the timeline never goes back. */
  readonly startMs?: number;
  /** Presentation end of the previous publish, ms: its latest presentation time plus one frame. The first frame is shown after it. */
  readonly presentationEndMs?: number;
  readonly limits?: Partial<PackagerLimits>;
  /** Returns the current maximum duration of a segment, ms: no longer than the duration declared by the playlist. */
  readonly maxSegmentMs?: () => number;
  readonly encoderInput?: EncoderInput;
}

/** Receives the packaged frames of each period, with times on the media timeline, for the encoders of renditions. */
export interface EncoderInput {
  /** Begins a period, whose frames have these configurations. */
  begin(tracks: Tracks): void;
  frame(frame: MediaPacket): void;
  /** Ends the period. */
  end(): void;
}

/** Maximum pause between the end of a period and the next one, ms. */
const MAX_PAUSE_MS = 500;
/** Issue of a publish whose video starts after a period with audio only. */
const LATE_VIDEO_MESSAGE =
  'the video started after the audio, so players restarted. Turn on the video source before the stream';

/**
 * Packages the packets of one publish as CMAF parts and segments with H.264, HEVC or AV1, and AAC. `push` neither
 * blocks nor throws on bad media; problems are emitted as `issue` or `rejected` events. A period is the media under one init
 * segment; between two periods, the playlist has an EXT-X-DISCONTINUITY.
 */
export class Packager {
  readonly #emit: EmitPackagerEvent;
  readonly #clock: Clock;
  readonly #limits: PackagerLimits;
  readonly #configs: TrackConfigs;
  readonly #pictureOrder = new PictureOrder();
  readonly #encoderInput: EncoderInput | undefined;
  readonly #maxSegmentMs: (() => number) | undefined;
  #trackWait: TrackWait | undefined;
  #period: Period | undefined;
  /** Monotonic clock at the start of the newest period. */
  #periodStartedAtMs = -Infinity;
  #endMs: number;
  #presentationEndMs: number;
  #isAudioOnly = false;
  #isOver = false;

  constructor(options: PackagerOptions) {
    const {
      emit,
      clock,
      startMs = 0,
      presentationEndMs = -Infinity,
      limits = {},
      maxSegmentMs,
      encoderInput,
    } = options;
    this.#encoderInput = encoderInput;
    this.#maxSegmentMs = maxSegmentMs;
    this.#emit = emit;
    this.#clock = clock;
    this.#limits = { ...PACKAGER_LIMITS, ...limits };
    this.#configs = new TrackConfigs(emit);
    this.#trackWait = new TrackWait(this.#limits);
    this.#endMs = startMs;
    this.#presentationEndMs = presentationEndMs;
  }

  /** Latest presentation time plus one frame, ms on the media timeline; -Infinity without video. */
  get presentationEndMs(): number {
    return this.#presentationEndMs;
  }

  push(packet: MediaPacket): void {
    if (this.#isOver) return;
    const isUsable = this.#configs.addPacket(packet);
    if (isUsable && packet.kind === 'video') this.#checkOrder(packet);
    if (this.#configs.rejection !== undefined) this.#reject(this.#configs.rejection);
    else if (this.#trackWait)
      this.#pushWaiting(this.#trackWait, { packet, wallClockMs: this.#wallClockMs }, isUsable);
    else if (isUsable) this.#pushFrame(packet);
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
    if (this.#trackWait && this.#configs.hasUsableTrack) this.#drainTrackWait(this.#trackWait);
    this.#isOver = true;
    this.#endPeriod();
  }

  #pushWaiting(wait: TrackWait, arrival: Arrival, isUsable: boolean): void {
    const verdict = wait.add(arrival, isUsable, this.#configs);
    if (verdict === 'start') this.#drainTrackWait(wait);
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

  /** Pushes the packets that arrived while the packager waited for the second track. */
  #drainTrackWait(wait: TrackWait): void {
    this.#trackWait = undefined;
    for (const { packet, wallClockMs } of wait.drain()) this.#pushFrame(packet, wallClockMs);
  }

  /** @param wallClockMs absent: the packet has just arrived */
  #pushFrame(packet: MediaPacket, wallClockMs?: number): void {
    if (this.#period && this.#needsNewPeriod(this.#period, packet)) this.#endPeriod();
    if (!this.#period) {
      this.#startPeriod(packet, wallClockMs);
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
    this.#startPeriod(packet, wallClockMs);
  }

  /**
   * Whether a new init segment must begin at this packet: immediately where the video configuration changed,
   * because no later frame decodes with the old one; otherwise at the next frame where a player can start.
   */
  #needsNewPeriod(period: Period, packet: MediaPacket): boolean {
    const { video, audio } = this.#configs.tracks;
    if (period.tracks.video === video && period.tracks.audio === audio) return false;
    if (packet.kind === 'video' && period.tracks.video && period.tracks.video !== video) return true;
    return this.#canStartSegment(packet) && this.#isMinPeriodOver();
  }

  #canStartSegment(packet: MediaPacket): boolean {
    return packet.kind === 'video' ? packet.key : this.#configs.tracks.video === undefined;
  }

  /** Whether the newest period, which may have ended already, began at least `minPeriodMs` ago; true before the first one. */
  #isMinPeriodOver(): boolean {
    return this.#clock.monotonic() - this.#periodStartedAtMs >= this.#limits.minPeriodMs;
  }

  /** Begins a period with a packet that can begin a segment; drops other packets. */
  #startPeriod(packet: MediaPacket, wallClockMs = this.#wallClockMs): void {
    if (!this.#canStartSegment(packet) || !this.#isMinPeriodOver()) return;
    const { tracks } = this.#configs;
    this.#periodStartedAtMs = this.#clock.monotonic();
    if (this.#isAudioOnly && tracks.video)
      this.#emit({ type: 'issue', code: 'late_picture', message: LATE_VIDEO_MESSAGE });
    this.#isAudioOnly = !tracks.video;
    const encoderInput = this.#encoderInput;
    const onFrame = encoderInput && ((frame: MediaPacket) => encoderInput.frame(frame));
    const maxSegmentMs = this.#maxSegmentMs;
    const startMs = this.#periodStartMs(packet);
    const periodStart = { tracks, firstPacket: packet, startMs, wallClockMs, onFrame, maxSegmentMs };
    this.#period = new Period(periodStart, this.#limits, this.#emit);
    encoderInput?.begin(tracks);
    this.#period.push(this.#addParameterSets(packet, tracks));
  }

  /**
   * Media time of the first frame of a period, ms: the end of the previous one, or up to MAX_PAUSE_MS later. With B-frames, a
   * period can end before the presentation time of some of its frames; the next one then begins later, so that its first frame
   * is shown after all of them.
   */
  #periodStartMs(firstPacket: MediaPacket): number {
    const leadMs = Math.max(0, firstPacket.pts - firstPacket.dts);
    const startMs = Math.max(this.#endMs, Math.ceil(this.#presentationEndMs - leadMs));
    return Math.min(startMs, this.#endMs + MAX_PAUSE_MS);
  }

  /**
   * Adds the parameter sets to the keyframes of all periods but the first, because some players decode a period with the
   * init segment of an earlier one:
   * - ffmpeg reads the init segments of a playlist as one file, and keeps the first configuration.
   * - Shaka Player loads the first part of a period by its preload hint, takes it for a part of the previous period, and appends
   *   no init segment. It appends none before the next parts either, because only the first one is independent.
   */
  #addParameterSets(packet: MediaPacket, { video }: Tracks): MediaPacket {
    const isFirstPeriod = this.#endMs === 0;
    if (isFirstPeriod || packet.kind !== 'video' || !packet.key || !video) return packet;
    return { ...packet, payload: codingOf(video.coding).addParameterSets(packet.payload, video.record) };
  }

  get #wallClockMs(): number {
    return this.#clock.now().getTime();
  }

  #endPeriod(): void {
    if (!this.#period) return;
    this.#period.finish();
    const { endMs, presentationEndMs } = this.#period.ends;
    this.#endMs = Math.ceil(endMs);
    // A wrong presentation time can be hours ahead. It must not delay all later periods.
    this.#presentationEndMs = Math.min(presentationEndMs, this.#endMs + MAX_PAUSE_MS);
    this.#period = undefined;
    this.#encoderInput?.end();
  }
}

/** Whether the init segment of the period has the frame's configuration; other frames wait for the next period. */
function isDecodable(period: Period, { kind }: MediaPacket, configs: TrackConfigs): boolean {
  return period.tracks[kind] !== undefined && period.tracks[kind] === configs.tracks[kind];
}

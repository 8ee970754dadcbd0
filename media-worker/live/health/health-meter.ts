import type { Clock } from '@/lib/infra/clock';
import type { HealthSample } from '@/lib/core/streams/stream-doctor';
import type { AudioPacket, MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';

/** The health values that are measured from packets. Tracks, transcoding and lateness are measured elsewhere. */
export type HealthMeasurement = Omit<HealthSample, 'video' | 'audio' | 'transcodeSpeed' | 'lateness'>;

/** Shorter measurements are too noisy to report. */
const MIN_INTERVAL_MS = 2_000;
/** A larger jump counts as a restart of the timestamps, as in the packager (timeline.ts). */
const JUMP_AHEAD_MS = 10_000;
const JUMP_BACK_MS = 100;
/** A longer distance of two frames is a pause, if frames are usually much closer. */
const PAUSE_MS = 1_000;
/** A keyframe interval this long is reported before the next keyframe arrives. */
const LONG_GOP_MS = 4_000;

/** Counters of one track since the last sample. */
class TrackCount {
  bytes = 0;
  frames = 0;
  /** Sum of timestamp minus arrival time over all frames, ms. */
  leadSumMs = 0;
  lastDts: number | null = null;

  add(dts: number, bytes: number, now: number): void {
    this.bytes += bytes;
    this.frames += 1;
    this.leadSumMs += dts - now;
    this.lastDts = dts;
  }

  get meanLeadMs(): number | null {
    return this.frames === 0 ? null : this.leadSumMs / this.frames;
  }

  reset(): void {
    this.bytes = this.frames = this.leadSumMs = 0;
  }
}

/** Measures the packets of one publish by the timestamps of its encoder, without parsing their payloads. */
export class HealthMeter {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #video = new TrackCount();
  readonly #audio = new TrackCount();
  #measuredSinceMs: number;
  /** Media time since the last sample, without jumps, ms. */
  #mediaMs = 0;
  #jumps = 0;
  #hasAudio = false;
  #reorderMs = 0;
  /** Last distance of two video frames, without pauses, ms. */
  #frameMs = 0;
  #lastKeyMs: number | null = null;
  /** Length of the last GOP, and of the longest GOP since the last sample, ms. */
  #gopMs: number | null = null;
  #maxGopMs = 0;
  /** Measurements since the last jump of the timestamps. */
  #measurementCount = 0;
  /** Offset between video and audio to which `#drift` compares. */
  #initialOffsetMs: number | null = null;
  #lastArrivalAtMs: number;
  #silenceMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#measuredSinceMs = this.#lastArrivalAtMs = clock.monotonic();
  }

  addPacket(packet: MediaPacket): void {
    if (packet.kind === 'audio') this.#hasAudio ||= !packet.isFilled;
    if (packet.role === 'config') return;
    if (packet.kind === 'video') this.#addVideo(packet);
    else if (!packet.isFilled) this.#addAudio(packet);
  }

  /** Whether the encoder sends audio, or has announced its configuration. */
  get hasAudio(): boolean {
    return this.#hasAudio;
  }

  /** Returns the measurement since the previous call; null when less than `MIN_INTERVAL_MS` has passed. */
  takeMeasurement(): HealthMeasurement | null {
    const now = this.#clock.monotonic();
    const elapsedMs = now - this.#measuredSinceMs;
    if (elapsedMs < MIN_INTERVAL_MS) return null;
    const rate = ({ bytes }: TrackCount) => Math.round((bytes * 8_000) / elapsedMs);
    const [videoBitrate, audioBitrate] = [rate(this.#video), rate(this.#audio)];
    const measurement: HealthMeasurement = {
      bitrate: videoBitrate + audioBitrate,
      videoBitrate,
      audioBitrate,
      fps: this.#video.lastDts === null ? null : this.#fps(elapsedMs),
      keyframeInterval: this.#keyframeInterval(),
      reorder: this.#reorderMs,
      jumps: this.#jumps,
      drift: this.#drift(),
      speed: this.#mediaMs / elapsedMs,
      silence: Math.max(this.#silenceMs, now - this.#lastArrivalAtMs),
    };
    this.#reset();
    return measurement;
  }

  #addVideo(packet: VideoPacket): void {
    // `originalDts` is the timestamp of the encoder, if the program has moved the packet on its timeline.
    const { key, payload, dts: timelineMs, pts, originalDts: dts = timelineMs } = packet;
    this.#skipPause(dts);
    this.#advance(this.#video, dts);
    this.#video.add(dts, payload.length, this.#arrive());
    this.#reorderMs = Math.max(this.#reorderMs, pts - timelineMs);
    if (!key) return;
    if (this.#lastKeyMs !== null) {
      this.#gopMs = dts - this.#lastKeyMs;
      this.#maxGopMs = Math.max(this.#maxGopMs, this.#gopMs);
    }
    this.#lastKeyMs = dts;
  }

  /** Leaves a pause of the video out of the current GOP. */
  #skipPause(dts: number): void {
    const stepMs = this.#video.lastDts === null ? 0 : dts - this.#video.lastDts;
    const isPause = stepMs > PAUSE_MS && this.#frameMs > 0 && this.#frameMs <= PAUSE_MS / 4;
    if (!isPause) this.#frameMs = stepMs;
    else if (this.#lastKeyMs !== null) this.#lastKeyMs += stepMs - this.#frameMs;
  }

  #addAudio({ payload, dts: timelineMs, originalDts: dts = timelineMs }: AudioPacket): void {
    // If there is video, the media time follows the video track.
    if (this.#video.lastDts === null) this.#advance(this.#audio, dts);
    this.#audio.add(dts, payload.length, this.#arrive());
  }

  /**
   * Records the arrival of a frame.
   * @returns its time
   */
  #arrive(): number {
    const now = this.#clock.monotonic();
    this.#silenceMs = Math.max(this.#silenceMs, now - this.#lastArrivalAtMs);
    this.#lastArrivalAtMs = now;
    return now;
  }

  /** Adds the time since the last frame of the track to the media time, or counts a jump. */
  #advance({ lastDts }: TrackCount, dts: number): void {
    if (lastDts === null) return;
    const stepMs = dts - lastDts;
    if (stepMs <= JUMP_AHEAD_MS && stepMs >= -JUMP_BACK_MS) {
      this.#mediaMs += stepMs;
      return;
    }
    this.#jumps += 1;
    this.#lastKeyMs = this.#initialOffsetMs = null;
    this.#measurementCount = 0;
  }

  /** Frames per second of continuous media time, so that bursts are counted correctly. */
  #fps(elapsedMs: number): number {
    return (this.#video.frames * 1_000) / (this.#mediaMs > elapsedMs / 2 ? this.#mediaMs : elapsedMs);
  }

  /** Longest keyframe interval in seconds; null before the second keyframe, unless that is late. */
  #keyframeInterval(): number | null {
    const { lastDts } = this.#video;
    const openGopMs = lastDts === null || this.#lastKeyMs === null ? 0 : lastDts - this.#lastKeyMs;
    const closedGopMs = this.#maxGopMs > 0 ? this.#maxGopMs : (this.#gopMs ?? 0);
    if (closedGopMs === 0 && openGopMs <= LONG_GOP_MS) return null;
    return Math.max(closedGopMs, openGopMs) / 1_000;
  }

  /**
   * The change of the offset between video and audio, ms. Encoders begin with a burst, so the first sample does not
   * count.
   */
  #drift(): number | null {
    const [videoLead, audioLead] = [this.#video.meanLeadMs, this.#audio.meanLeadMs];
    if (videoLead === null || audioLead === null || this.#measurementCount === 0) return null;
    const offsetMs = videoLead - audioLead;
    this.#initialOffsetMs ??= offsetMs;
    return Math.round(offsetMs - this.#initialOffsetMs);
  }

  #reset(): void {
    this.#measurementCount += 1;
    this.#measuredSinceMs = this.#clock.monotonic();
    this.#mediaMs = this.#jumps = this.#reorderMs = this.#maxGopMs = this.#silenceMs = 0;
    this.#video.reset();
    this.#audio.reset();
  }
}

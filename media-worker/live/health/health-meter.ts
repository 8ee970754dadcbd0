import type { Clock } from '@/lib/infra/clock';
import type { HealthSample } from '@/lib/core/streams/stream-doctor';
import type { AudioPacket, MediaPacket, VideoPacket } from '@/media-worker/media/packets/media-packet';

/** Health measured from packets alone; tracks and renditions are measured elsewhere. */
export type HealthMeasurement = Omit<HealthSample, 'video' | 'audio' | 'transcodeSpeed' | 'lateness'>;

/** Shorter measurements are too noisy to report. */
const minIntervalMs = 2_000;
/** A larger jump counts as a restart of the timestamps, as in the packager (timeline.ts). */
const jumpAheadMs = 10_000;
const jumpBackMs = 100;
/** A keyframe interval this long is reported before the next keyframe arrives. */
const longGopMs = 4_000;

/** Counters of one track between two samples. */
class TrackCount {
  bytes = 0;
  frames = 0;
  /** Sum of timestamp minus arrival time over all frames, ms. */
  leadMs = 0;
  last: number | null = null;

  add(dts: number, bytes: number, now: number): void {
    this.bytes += bytes;
    this.frames += 1;
    this.leadMs += dts - now;
    this.last = dts;
  }

  get meanLead(): number | null {
    return this.frames === 0 ? null : this.leadMs / this.frames;
  }

  begin(): void {
    this.bytes = this.frames = this.leadMs = 0;
  }
}

/**
 * Counts the packets of one publish by the timestamps of its encoder. It adds numbers and parses nothing. `take` returns the
 * measurement since the previous `take`.
 */
export class HealthMeter {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #video = new TrackCount();
  readonly #audio = new TrackCount();
  #since: number;
  /** Media time since the last sample without jumps, ms. */
  #passedMs = 0;
  #jumps = 0;
  #hasAudio = false;
  #reorder = 0;
  #lastKey: number | null = null;
  /** GOP length: between the last two keyframes, and the longest since the last sample, ms. */
  #gopMs: number | null = null;
  #maxGopMs = 0;
  #samples = 0;
  #lateAtFirst: number | null = null;
  #arrivedAt: number;
  #silenceMs = 0;

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
    this.#since = this.#arrivedAt = clock.monotonic();
  }

  packet(packet: MediaPacket): void {
    if (packet.kind === 'audio') this.#hasAudio ||= !packet.isFilled;
    if (packet.role === 'config') return;
    if (packet.kind === 'video') this.#addVideo(packet);
    else if (!packet.isFilled) this.#addAudio(packet);
  }

  /** Whether the encoder sends audio, or has announced its configuration. */
  get hasAudio(): boolean {
    return this.#hasAudio;
  }

  /** Null when too little time has passed since the last measurement. */
  take(): HealthMeasurement | null {
    const now = this.#clock.monotonic();
    const ms = now - this.#since;
    if (ms < minIntervalMs) return null;
    const rate = ({ bytes }: TrackCount) => Math.round((bytes * 8_000) / ms);
    const [videoBitrate, audioBitrate] = [rate(this.#video), rate(this.#audio)];
    const measurement: HealthMeasurement = {
      bitrate: videoBitrate + audioBitrate,
      videoBitrate,
      audioBitrate,
      fps: this.#video.last === null ? null : this.#fps(ms),
      keyframeInterval: this.#keyframeInterval(),
      reorder: this.#reorder,
      jumps: this.#jumps,
      drift: this.#drift(),
      speed: this.#passedMs / ms,
      silence: Math.max(this.#silenceMs, now - this.#arrivedAt),
    };
    this.#start();
    return measurement;
  }

  #addVideo(packet: VideoPacket): void {
    const { key, payload, dts: placedMs, pts, stampMs: dts = placedMs } = packet;
    this.#advance(this.#video, dts);
    this.#video.add(dts, payload.length, this.#arrive());
    this.#reorder = Math.max(this.#reorder, pts - placedMs);
    if (!key) return;
    if (this.#lastKey !== null) {
      this.#gopMs = dts - this.#lastKey;
      this.#maxGopMs = Math.max(this.#maxGopMs, this.#gopMs);
    }
    this.#lastKey = dts;
  }

  #addAudio({ payload, dts: placedMs, stampMs: dts = placedMs }: AudioPacket): void {
    // With video, media time follows the video track.
    if (this.#video.last === null) this.#advance(this.#audio, dts);
    this.#audio.add(dts, payload.length, this.#arrive());
  }

  /** @returns the time of arrival */
  #arrive(): number {
    const now = this.#clock.monotonic();
    this.#silenceMs = Math.max(this.#silenceMs, now - this.#arrivedAt);
    this.#arrivedAt = now;
    return now;
  }

  #advance({ last }: TrackCount, dts: number): void {
    if (last === null) return;
    const step = dts - last;
    if (step <= jumpAheadMs && step >= -jumpBackMs) {
      this.#passedMs += step;
      return;
    }
    this.#jumps += 1;
    this.#lastKey = this.#lateAtFirst = null;
    this.#samples = 0;
  }

  /** Frames per second of continuous media time, so that bursts are counted correctly. */
  #fps(ms: number): number {
    return (this.#video.frames * 1_000) / (this.#passedMs > ms / 2 ? this.#passedMs : ms);
  }

  #keyframeInterval(): number | null {
    const { last } = this.#video;
    const openGopMs = last === null || this.#lastKey === null ? 0 : last - this.#lastKey;
    const closedGopMs = this.#maxGopMs > 0 ? this.#maxGopMs : (this.#gopMs ?? 0);
    if (closedGopMs === 0 && openGopMs <= longGopMs) return null;
    return Math.max(closedGopMs, openGopMs) / 1_000;
  }

  /** Encoders begin with a burst, so the first sample does not count. */
  #drift(): number | null {
    const [videoLead, audioLead] = [this.#video.meanLead, this.#audio.meanLead];
    if (videoLead === null || audioLead === null || this.#samples === 0) return null;
    const late = videoLead - audioLead;
    this.#lateAtFirst ??= late;
    return Math.round(late - this.#lateAtFirst);
  }

  #start(): void {
    this.#samples += 1;
    this.#since = this.#clock.monotonic();
    this.#passedMs = this.#jumps = this.#reorder = this.#maxGopMs = this.#silenceMs = 0;
    this.#video.begin();
    this.#audio.begin();
  }
}

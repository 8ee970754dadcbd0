import type { Clock } from '@/lib/infra/clock';
import { type AudioConfig, CodecDataError, parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import type { AudioPacket, MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';
import { SILENT_UNITS } from './silent-units';

/** Audio that is missing for this long while video continues may be lost. */
const MISSING_MS = 1_000;
/** How much later than usual audio has to be to count as missing, ms. */
const LATENESS_TOLERANCE_MS = 300;
/** The usual lateness is the maximum in the current and the previous span of this length. */
const USUAL_SPAN_MS = 5_000;
/** A smaller gap is jitter of the timestamps. */
const JITTER_MS = 100;
/** A longer gap is a pause of the whole publish. */
const MAX_GAP_MS = 10_000;
/** Audio frames that are later than this are dropped, because viewers would stall for as long. */
const MAX_LATE_MS = 2_000;

/** Maximum wait for the first frame of configured audio, ms. */
const FIRST_AUDIO_WAIT_MS = 3_500;
/** Minimum time between two configurations, like the shortest period of the packager. */
const MIN_PERIOD_MS = 1_000;

/**
 * A sink that fills gaps in the audio of a program with silence and forwards to `sink`, because players show video
 * only where there is audio. Late audio is not missing: encoders send it up to ten seconds behind the video. If
 * there is video, audio of another configuration begins at the next keyframe, where players can start; until then
 * the program is silent. Formats without a known silent frame keep their gaps.
 */
export function fillSilence(sink: PublishSink, clock: Pick<Clock, 'monotonic'>): PublishSink {
  const filler = new SilentTrackFiller(
    (packet) => sink.push(packet),
    () => clock.monotonic(),
  );
  return {
    ids: sink.ids,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet: MediaPacket) => {
      if (packet.kind === 'video') filler.addVideo(packet);
      else filler.addAudio(packet);
    },
    end: (reason) => sink.end(reason),
  };
}

/** The audio that a decoder would play. */
interface DecodedAudio {
  readonly record: Buffer;
  readonly frameMs: number;
  readonly silentUnit: Buffer | undefined;
}

/** Adds the silent frames of `fillSilence`. */
class SilentTrackFiller {
  readonly #emit: (packet: MediaPacket) => void;
  /** Returns monotonic milliseconds. */
  readonly #nowMs: () => number;
  readonly #lateness: UsualLateness;
  #audio: DecodedAudio | null = null;
  /** A configuration that takes effect at the next keyframe. */
  #nextConfig: AudioPacket | null = null;
  #configuredAtMs = -Infinity;
  /** Whether the current configuration is that of inserted silence. */
  #isInserted = false;
  /** Timestamp of the first keyframe, and the clock at its arrival, ms. */
  #firstKeyframe: { readonly ms: number; readonly arrivalMs: number } | null = null;
  /** End of the audio so far, ms; null before its first frame. */
  #endMs: number | null = null;
  #lastArrivalMs = 0;
  /** Decode time of the newest video frame. */
  #videoMs: number | null = null;
  /** Whether silence replaces audio that does not arrive. */
  #isMissing = false;

  constructor(emit: (packet: MediaPacket) => void, nowMs: () => number) {
    this.#emit = emit;
    this.#nowMs = nowMs;
    this.#lateness = new UsualLateness(nowMs);
  }

  addVideo(packet: VideoPacket): void {
    if (packet.role === 'frame') {
      if (packet.key) this.#firstKeyframe ??= { ms: packet.dts, arrivalMs: this.#nowMs() };
      this.#videoMs = packet.dts;
      this.#fillBesideVideo(packet.dts);
      if (packet.key) this.#applyNextConfig(packet.dts);
    }
    this.#emit(packet);
  }

  addAudio(packet: AudioPacket): void {
    if (packet.codec !== 'aac') this.#emit(packet);
    else if (packet.role === 'config') this.#configure(packet);
    else if (this.#nextConfig) this.#dropFrame(packet);
    else this.#addFrame(packet);
  }

  #configure(packet: AudioPacket): void {
    // Decoders ignore an invalid configuration and keep the previous one.
    if (!parseConfig(packet.payload)) {
      this.#emit(packet);
      return;
    }
    const isKnown = this.#audio?.record.equals(packet.payload) === true;
    if (isKnown || !this.#audio || this.#videoMs === null) this.#applyConfig(packet);
    else this.#nextConfig = packet;
  }

  #applyConfig(packet: AudioPacket): void {
    const record = packet.payload;
    this.#nextConfig = null;
    this.#isInserted = packet.isFilled === true;
    this.#emit(packet);
    if (this.#audio?.record.equals(record)) return;
    this.#configuredAtMs = this.#nowMs();
    const config = parseConfig(record);
    this.#audio = config && {
      record,
      frameMs: (config.samplesPerFrame * 1_000) / config.timescale,
      silentUnit: SILENT_UNITS.get(config.channelConfiguration),
    };
  }

  /** Switches to the next configuration at a keyframe at `ms`. */
  #applyNextConfig(ms: number): void {
    if (!this.#nextConfig || this.#nowMs() - this.#configuredAtMs < MIN_PERIOD_MS) return;
    this.#fillUntil(ms);
    this.#applyConfig({ ...this.#nextConfig, dts: ms, pts: ms });
  }

  /** Drops a frame of the next configuration: its time is filled with silence until that configuration takes effect. */
  #dropFrame(packet: AudioPacket): void {
    this.#lastArrivalMs = this.#nowMs();
    this.#isMissing = true;
    if (this.#videoMs !== null) this.#lateness.add(this.#videoMs - packet.dts);
  }

  #addFrame(packet: AudioPacket): void {
    if (this.#endMs !== null && packet.dts < this.#endMs - MAX_LATE_MS) return;
    let hasGap = this.#isMissing;
    this.#lastArrivalMs = this.#nowMs();
    this.#isMissing = false;
    if (this.#videoMs !== null) this.#lateness.add(this.#videoMs - packet.dts);
    const frameMs = this.#audio?.frameMs ?? 0;
    if (this.#endMs === null && this.#firstKeyframe && packet.dts > this.#firstKeyframe.ms) {
      this.#endMs = this.#firstKeyframe.ms;
      hasGap = true;
    }
    // Silence filled the time of this frame; later frames fit again.
    if (this.#endMs !== null && packet.dts < this.#endMs - Math.max(JITTER_MS, frameMs)) return;
    if (this.#endMs !== null && (hasGap || packet.dts > this.#endMs + JITTER_MS)) this.#fillUntil(packet.dts);
    this.#endMs = packet.dts + frameMs;
    this.#emit(packet);
  }

  /** Fills the audio up to the video's position `ms`. */
  #fillBesideVideo(ms: number): void {
    if (this.#endMs === null) this.#startSilence();
    if (this.#endMs === null) return;
    const usualMs = this.#lateness.usualMs;
    const isMissing =
      this.#nowMs() - this.#lastArrivalMs >= MISSING_MS && ms - this.#endMs > usualMs + LATENESS_TOLERANCE_MS;
    this.#isMissing ||= isMissing;
    if (this.#isMissing) this.#fillUntil(ms - usualMs);
  }

  /** Begins silence with the video where configured audio does not arrive. */
  #startSilence(): void {
    if (!this.#audio || !this.#firstKeyframe) return;
    if (!this.#isInserted && this.#nowMs() - this.#firstKeyframe.arrivalMs < FIRST_AUDIO_WAIT_MS) return;
    this.#endMs = this.#firstKeyframe.ms;
    this.#isMissing = true;
  }

  #fillUntil(ms: number): void {
    const { silentUnit, frameMs = 0 } = this.#audio ?? {};
    if (silentUnit === undefined || this.#endMs === null) return;
    // With video there is always audio; a long gap remains only after both.
    const mediaEndMs = Math.max(this.#endMs, this.#videoMs ?? -Infinity);
    const untilMs = ms - mediaEndMs > MAX_GAP_MS ? mediaEndMs : ms;
    // Audio is at most ten seconds late, and a gap at most ten seconds long. More than both is a jump of the timestamps.
    if (untilMs - this.#endMs > 2 * MAX_GAP_MS) return;
    for (; this.#endMs + frameMs <= untilMs; this.#endMs += frameMs) {
      const dts = Math.round(this.#endMs);
      const commonFields = { kind: 'audio', codec: 'aac', role: 'frame', isFilled: true } as const;
      this.#emit({ ...commonFields, dts, pts: dts, payload: silentUnit });
    }
  }
}

function parseConfig(record: Buffer): AudioConfig | null {
  try {
    return parseAacConfig(record);
  } catch (error) {
    if (error instanceof CodecDataError) return null;
    throw error;
  }
}

/** The usual lateness of a publish's audio, compared with its video. */
class UsualLateness {
  readonly #nowMs: () => number;
  #spanStartMs: number;
  #previousSpanMaxMs = 0;
  #spanMaxMs = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#spanStartMs = nowMs();
  }

  get usualMs(): number {
    return Math.max(this.#previousSpanMaxMs, this.#spanMaxMs);
  }

  add(lateMs: number): void {
    if (this.#nowMs() - this.#spanStartMs >= USUAL_SPAN_MS) {
      this.#spanStartMs = this.#nowMs();
      this.#previousSpanMaxMs = this.#spanMaxMs;
      this.#spanMaxMs = 0;
    }
    this.#spanMaxMs = Math.max(this.#spanMaxMs, lateMs);
  }
}

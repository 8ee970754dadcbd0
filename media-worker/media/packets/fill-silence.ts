import type { Clock } from '@/lib/infra/clock';
import { type AudioConfig, CodecConfigError, parseAacConfig } from '@/media-worker/media/cmaf/codec-config';
import type { AudioPacket, MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';
import { SILENT_UNITS } from './silent-units';

/** Audio that is missing for this long while video continues may be lost. */
const MISSING_MS = 1_000;
/** Audio counts as missing when it is later than usual by this, ms. */
const LATER_THAN_USUAL_MS = 300;
/** Span over which the usual lateness is measured: the latest audio of the last two spans. */
const USUAL_SPAN_MS = 5_000;
/** A smaller gap is jitter of the timestamps. */
const JITTER_MS = 100;
/** A longer gap is a pause of the whole publish. */
const MAX_GAP_MS = 10_000;
/** Audio later than this is dropped instead of awaited, because viewers would stall for as long. */
const MAX_WAIT_MS = 2_000;

/** Maximum wait for the first frame of configured audio, ms. */
const FIRST_AUDIO_WAIT_MS = 3_500;
/** Minimum time between two configurations, like the shortest period of the packager. */
const MIN_PERIOD_MS = 1_000;

/**
 * Fills gaps in the audio of a program with silence, for every stage after `sink`, because players show video only
 * where there is audio. Late audio is not missing: encoders send it up to ten seconds behind the video. With
 * video, audio of another configuration begins at the next keyframe, where players can start; until then it is
 * silent. Formats without a known silence keep their gaps.
 */
export function fillSilence(sink: PublishSink, clock: Pick<Clock, 'monotonic'>): PublishSink {
  const track = new SilentTrackFiller(
    (packet) => sink.push(packet),
    () => clock.monotonic(),
  );
  return {
    about: sink.about,
    announce: (tracks) => sink.announce?.(tracks),
    push: (packet: MediaPacket) => {
      if (packet.kind === 'video') track.video(packet);
      else track.audio(packet);
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

class SilentTrackFiller {
  readonly #emit: (packet: MediaPacket) => void;
  readonly #now: () => number;
  readonly #lateness: UsualLateness;
  #audio: DecodedAudio | null = null;
  /** A configuration that takes effect at the next keyframe. */
  #next: AudioPacket | null = null;
  #configuredAt = -Infinity;
  /** Whether the audio so far is only inserted silence. */
  #isInserted = false;
  /** Time of the first keyframe, ms, and the clock at its arrival. */
  #firstKeyframe: { readonly ms: number; readonly at: number } | null = null;
  /** End of the audio so far, ms; null before its first frame. */
  #endMs: number | null = null;
  #arrivedAt = 0;
  #videoMs: number | null = null;
  #missing = false;

  constructor(emit: (packet: MediaPacket) => void, now: () => number) {
    this.#emit = emit;
    this.#now = now;
    this.#lateness = new UsualLateness(now);
  }

  video(packet: VideoPacket): void {
    if (packet.role === 'frame') {
      if (packet.key) this.#firstKeyframe ??= { ms: packet.dts, at: this.#now() };
      this.#videoMs = packet.dts;
      this.#fillBeside(packet.dts);
      if (packet.key) this.#replace(packet.dts);
    }
    this.#emit(packet);
  }

  audio(packet: AudioPacket): void {
    if (packet.codec !== 'aac') this.#emit(packet);
    else if (packet.role === 'config') this.#configure(packet);
    else if (this.#next) this.#wait(packet);
    else this.#frame(packet);
  }

  #configure(packet: AudioPacket): void {
    const isKnown = this.#audio?.record.equals(packet.payload) === true;
    if (isKnown || !this.#audio || this.#videoMs === null) this.#use(packet);
    else this.#next = packet;
  }

  #use(packet: AudioPacket): void {
    const record = packet.payload;
    this.#next = null;
    this.#isInserted = packet.isFilled === true;
    this.#emit(packet);
    if (this.#audio?.record.equals(record)) return;
    this.#configuredAt = this.#now();
    const config = configOf(record);
    this.#audio = config && {
      record,
      frameMs: (config.samplesPerFrame * 1_000) / config.timescale,
      silentUnit: SILENT_UNITS.get(config.channelConfiguration),
    };
  }

  /** Switches to the next configuration at a keyframe at `ms`. */
  #replace(ms: number): void {
    if (!this.#next || this.#now() - this.#configuredAt < MIN_PERIOD_MS) return;
    this.#fillUntil(ms);
    this.#use({ ...this.#next, dts: ms, pts: ms });
  }

  /** Holds a frame of the next configuration. */
  #wait(packet: AudioPacket): void {
    this.#arrivedAt = this.#now();
    this.#missing = true;
    if (this.#videoMs !== null) this.#lateness.add(this.#videoMs - packet.dts);
  }

  #frame(packet: AudioPacket): void {
    if (this.#endMs !== null && packet.dts < this.#endMs - MAX_WAIT_MS) return;
    let hasGap = this.#missing;
    this.#arrivedAt = this.#now();
    this.#missing = false;
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
  #fillBeside(ms: number): void {
    if (this.#endMs === null) this.#begin();
    if (this.#endMs === null) return;
    const usualMs = this.#lateness.usualMs;
    const isMissing =
      this.#now() - this.#arrivedAt >= MISSING_MS && ms - this.#endMs > usualMs + LATER_THAN_USUAL_MS;
    this.#missing ||= isMissing;
    if (this.#missing) this.#fillUntil(ms - usualMs);
  }

  /** Begins silence with the video where configured audio does not arrive. */
  #begin(): void {
    if (!this.#audio || !this.#firstKeyframe) return;
    if (!this.#isInserted && this.#now() - this.#firstKeyframe.at < FIRST_AUDIO_WAIT_MS) return;
    this.#endMs = this.#firstKeyframe.ms;
    this.#missing = true;
  }

  #fillUntil(ms: number): void {
    const { silentUnit, frameMs = 0 } = this.#audio ?? {};
    if (silentUnit === undefined || this.#endMs === null) return;
    // With video there is always audio; a long gap remains only after both.
    const mediaEndMs = Math.max(this.#endMs, this.#videoMs ?? -Infinity);
    const untilMs = ms - mediaEndMs > MAX_GAP_MS ? mediaEndMs : ms;
    if (untilMs - this.#endMs > 2 * MAX_GAP_MS) return;
    for (; this.#endMs + frameMs <= untilMs; this.#endMs += frameMs) {
      const dts = Math.round(this.#endMs);
      const about = { kind: 'audio', codec: 'aac', role: 'frame', isFilled: true } as const;
      this.#emit({ ...about, dts, pts: dts, payload: silentUnit });
    }
  }
}

function configOf(record: Buffer): AudioConfig | null {
  try {
    return parseAacConfig(record);
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}

/** The usual lateness of a publish's audio, compared with its video. */
class UsualLateness {
  readonly #now: () => number;
  #since: number;
  #beforeMs = 0;
  #lateMs = 0;

  constructor(now: () => number) {
    this.#now = now;
    this.#since = now();
  }

  get usualMs(): number {
    return Math.max(this.#beforeMs, this.#lateMs);
  }

  add(lateMs: number): void {
    if (this.#now() - this.#since >= USUAL_SPAN_MS) {
      this.#since = this.#now();
      this.#beforeMs = this.#lateMs;
      this.#lateMs = 0;
    }
    this.#lateMs = Math.max(this.#lateMs, lateMs);
  }
}

import type { Clock } from '@/lib/infra/clock';
import { type AudioConfig, CodecConfigError, parseAacConfig } from '../cmaf/codec-config';
import type { AudioPacket, MediaPacket, VideoPacket } from './media-packet';
import type { PublishSink } from './publish';

/** Sound that did not come for this long, while pictures go on, may be missing. */
const MISSING_MS = 1_000;
/** Sound is missing when it is later than usual by this. */
const LATER_THAN_USUAL_MS = 300;
/** How late sound usually is: at most this late in the last two spans of this length. */
const USUAL_SPAN_MS = 5_000;
/** A hole up to this is jitter of the stamps. */
const JITTER_MS = 100;
/** A longer hole is a pause of the whole publish. */
const LONGEST_HOLE_MS = 10_000;

/**
 * Access units of AAC-LC that decode to zeros, by number of channels. They also decode under a configuration of HE-AAC,
 * whose core they are.
 */
export const SILENT_UNITS: Readonly<Record<number, Buffer>> = {
  1: Buffer.from('00c800802380', 'hex'),
  2: Buffer.from('210049900219002380', 'hex'),
  6: Buffer.from('011820010880230460231004608c0c230000e0', 'hex'),
};

/**
 * The packets of one publish with silence where its sound has holes, for everything behind `sink`: players show a picture
 * only where there is sound too. Late sound is not missing sound: encoders send it up to ten seconds behind the picture.
 * Sound of a form without a known silence keeps its holes.
 */
export function fillSilence(sink: PublishSink, clock: Pick<Clock, 'monotonic'>): PublishSink {
  const track = new SoundTrack(
    (packet) => sink.push(packet),
    () => clock.monotonic(),
  );
  return {
    about: sink.about,
    push: (packet: MediaPacket) => {
      if (packet.kind === 'video') track.video(packet);
      else track.audio(packet);
    },
    end: (reason) => sink.end(reason),
  };
}

/** What a decoder of the sound would play. */
interface Sound {
  readonly record: Buffer;
  readonly frameMs: number;
  readonly silentUnit: Buffer | undefined;
}

class SoundTrack {
  readonly #emit: (packet: MediaPacket) => void;
  readonly #now: () => number;
  readonly #lateness: UsualLateness;
  #sound: Sound | null = null;
  /** Where the sound ends so far, ms; null before its first frame. */
  #endMs: number | null = null;
  #arrivedAt = 0;
  #pictureMs: number | null = null;
  #missing = false;

  constructor(emit: (packet: MediaPacket) => void, now: () => number) {
    this.#emit = emit;
    this.#now = now;
    this.#lateness = new UsualLateness(now);
  }

  video(packet: VideoPacket): void {
    if (packet.role === 'frame') {
      this.#pictureMs = packet.dts;
      this.#fillBeside(packet.dts);
    }
    this.#emit(packet);
  }

  audio(packet: AudioPacket): void {
    if (packet.codec !== 'aac') this.#emit(packet);
    else if (packet.role === 'config') {
      this.#configure(packet.payload);
      this.#emit(packet);
    } else this.#frame(packet);
  }

  #configure(record: Buffer): void {
    if (this.#sound?.record.equals(record)) return;
    const config = configOf(record);
    this.#sound = config && {
      record,
      frameMs: (config.samplesPerFrame * 1_000) / config.timescale,
      silentUnit: config.samplesPerFrame === 1024 ? SILENT_UNITS[config.channels] : undefined,
    };
  }

  #frame(packet: AudioPacket): void {
    const wasMissing = this.#missing;
    this.#arrivedAt = this.#now();
    this.#missing = false;
    if (this.#pictureMs !== null) this.#lateness.add(this.#pictureMs - packet.dts);
    const frameMs = this.#sound?.frameMs ?? 0;
    // Silence took the time of this frame; those that follow fit again.
    if (this.#endMs !== null && packet.dts < this.#endMs - Math.max(JITTER_MS, frameMs)) return;
    if (this.#endMs !== null && (wasMissing || packet.dts > this.#endMs + JITTER_MS))
      this.#fillUntil(packet.dts);
    this.#endMs = packet.dts + frameMs;
    this.#emit(packet);
  }

  /** The picture has come to `ms`. */
  #fillBeside(ms: number): void {
    if (this.#endMs === null) return;
    const usualMs = this.#lateness.usualMs;
    const isMissing =
      this.#now() - this.#arrivedAt >= MISSING_MS && ms - this.#endMs > usualMs + LATER_THAN_USUAL_MS;
    this.#missing ||= isMissing;
    if (this.#missing) this.#fillUntil(ms - usualMs);
  }

  #fillUntil(ms: number): void {
    const { silentUnit, frameMs = 0 } = this.#sound ?? {};
    if (silentUnit === undefined || this.#endMs === null || ms - this.#endMs > LONGEST_HOLE_MS) return;
    for (; this.#endMs + frameMs <= ms; this.#endMs += frameMs) {
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

/** How late the sound of a publish usually is, compared with its picture. */
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

import { Readable } from 'node:stream';
import { metrics } from '@/lib/infra/metrics/metrics';
import { isPackaged } from '@/media-worker/media/cmaf/codec-config';
import type { BusReader } from '@/media-worker/media/packets/packet-queue';
import { flvHeader, flvTag } from '@/media-worker/media/packets/flv-writer';
import { keyframeParameterSets } from '@/media-worker/media/packets/keyframe-parameter-sets';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';

export interface PushFeedOptions {
  readonly bus: PacketBus;
  readonly videoOnly: boolean;
  /** Whether the receiver accepts only one audio configuration per connection. Default: false. */
  readonly isAudioFixed?: boolean;
  /** Monotonic milliseconds. */
  readonly now: () => number;
}

/**
 * How far a receiver may lag behind before frames are dropped up to the next keyframe. The time covers the start of
 * ffmpeg and the longest stall, so neither costs a frame.
 */
const limits = { packets: 2_048, bytes: 8 * 1024 * 1024, ms: 15_000 };
/** The FLV header names the tracks, and readers wait for each of them: the feed waits this long for the second track. */
const tracksMs = 1_000;
/** A larger jump counts as a restart of the encoder, whose frames then follow without a gap. */
const maxBackwardMs = 1_000;
const maxAheadMs = 5_000;
const afterJumpMs = 20;
/** Large enough that no timestamp within `furthestBackMs` becomes negative. */
const startMs = 1_000;

/** Converts the packets of a bus to an FLV stream that starts near 0, without jumps, at the pace of the receiver. */
export class PushFeed {
  /** Standard input of ffmpeg. Ends with the bus. */
  readonly stream: Readable;
  readonly #options: PushFeedOptions;
  readonly #reader: BusReader;
  readonly #withParameterSets = keyframeParameterSets();
  #bytes = 0;
  #handedOverAt: number | null = null;
  #shiftMs = 0;
  #lastMs: number | null = null;
  #tracksChanged = false;
  /** The current audio configuration. */
  #audio: Buffer | null = null;

  constructor(options: PushFeedOptions) {
    this.#options = options;
    this.#reader = options.bus.reader(limits, (packets) =>
      metrics.droppedPackets.inc({ reader: 'multistream' }, packets),
    );
    this.stream = Readable.from(this.#flv(), { objectMode: false, highWaterMark: 64 * 1024 });
  }

  /** Bytes handed over so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Packets dropped because the receiver was too slow. */
  get dropped(): number {
    return this.#reader.dropped;
  }

  /** Milliseconds for which the last chunk has been waiting for the receiver; 0 if none waits. */
  get blockedMs(): number {
    return this.#handedOverAt === null ? 0 : this.#options.now() - this.#handedOverAt;
  }

  /** Whether the feed ended because the FLV header lacks a track, or names it with another codec or form. */
  get tracksChanged(): boolean {
    return this.#tracksChanged;
  }

  /** Ends the stream. May be called twice. */
  close(): void {
    this.#reader.close();
  }

  async *#flv(): AsyncGenerator<Buffer, void, void> {
    const first: MediaPacket[] = [];
    const tracks = { video: false, audio: false };
    while (!this.#complete(tracks, first)) {
      const packet = await this.#next();
      if (!packet) break;
      tracks[packet.kind] = true;
      this.#changesAudio(packet);
      first.push(packet);
    }
    if (first.length === 0) return;
    yield* this.#hand(flvHeader(tracks));
    for (const packet of first) yield* this.#hand(this.#tag(packet));
    for (let packet = await this.#next(); packet; packet = await this.#next()) {
      if (!tracks[packet.kind] || this.#changesAudio(packet)) {
        this.#tracksChanged = true;
        return;
      }
      yield* this.#hand(this.#tag(packet));
    }
  }

  /** Whether a packet changes the audio configuration: with `-c copy` into MPEG-TS, ffmpeg keeps the first one. */
  #changesAudio({ kind, role, payload }: MediaPacket): boolean {
    if (kind !== 'audio' || role !== 'config') return false;
    const configBefore = this.#audio;
    this.#audio = payload;
    return this.#options.isAudioFixed === true && configBefore !== null && !configBefore.equals(payload);
  }

  async #next(): Promise<MediaPacket | undefined> {
    for (;;) {
      const packet = await this.#reader.next();
      if (!packet) return packet;
      if (packet.kind === 'video' && isPackaged(packet.codec) && packet.codec !== 'avc') {
        // If the video is missing, the stream needs a new header.
        this.#tracksChanged = true;
        return undefined;
      }
      if (this.#carries(packet)) return this.#withParameterSets(packet);
    }
  }

  *#hand(piece: Buffer): Generator<Buffer, void, void> {
    this.#bytes += piece.length;
    metrics.multistreamBytes.inc(piece.length);
    this.#handedOverAt = this.#options.now();
    yield piece;
    this.#handedOverAt = null;
  }

  #carries(packet: MediaPacket): boolean {
    if (packet.kind === 'audio') return packet.codec === 'aac' && !this.#options.videoOnly;
    return packet.codec === 'avc';
  }

  #complete(tracks: { video: boolean; audio: boolean }, packets: readonly MediaPacket[]): boolean {
    if (tracks.video && (tracks.audio || this.#options.videoOnly)) return true;
    const frames = packets.filter(({ role }) => role === 'frame');
    const [first, last] = [frames[0], frames.at(-1)];
    return first !== undefined && last !== undefined && last.dts - first.dts >= tracksMs;
  }

  #tag(packet: MediaPacket): Buffer {
    const lastMs = this.#lastMs;
    const time = packet.dts + this.#shiftMs;
    if (packet.role === 'config') {
      // Encoders stamp configurations with 0 or an arbitrary number; only their position in the stream counts.
      return flvTag({ ...packet, dts: lastMs ?? startMs, pts: lastMs ?? startMs });
    }
    if (lastMs === null) this.#shiftMs = startMs - packet.dts;
    else if (time < lastMs - maxBackwardMs || time > lastMs + maxAheadMs) {
      this.#shiftMs = lastMs + afterJumpMs - packet.dts;
    }
    this.#lastMs = Math.max(lastMs ?? 0, packet.dts + this.#shiftMs);
    return flvTag(packet, this.#shiftMs);
  }
}

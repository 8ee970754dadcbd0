import { Readable } from 'node:stream';
import { metrics } from '@/lib/infra/metrics/metrics';
import { isPackaged } from '@/media-worker/media/cmaf/codec-config';
import type { BusReader, QueueLimits } from '@/media-worker/media/packets/packet-queue';
import { encodeFlvHeader, encodeFlvTag } from '@/media-worker/media/packets/flv-writer';
import { createParameterSetInserter } from '@/media-worker/media/packets/keyframe-parameter-sets';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { PacketBus } from '@/media-worker/media/packets/packet-bus';

export interface PushFeedOptions {
  readonly bus: PacketBus;
  readonly videoOnly: boolean;
  /** Whether the receiver accepts only one audio configuration per connection. Default: false. */
  readonly isAudioFixed?: boolean;
  /** Returns monotonic milliseconds. */
  readonly now: () => number;
}

/**
 * How far a receiver may lag behind before frames are dropped up to the next keyframe. The time covers the start
 * of ffmpeg and the longest tolerated stall, so that neither drops a frame.
 */
const backlogLimits: QueueLimits = { packets: 2_048, bytes: 8 * 1024 * 1024, durationMs: 15_000 };
/**
 * Media time for which the feed waits for a second track. The FLV header names the tracks, and readers wait for
 * each of them.
 */
const SECOND_TRACK_WAIT_MS = 1_000;
/** A larger jump counts as a restart of the encoder. Its frames then continue `AFTER_JUMP_MS` after the last one. */
const MAX_BACKWARD_MS = 1_000;
const MAX_AHEAD_MS = 5_000;
const AFTER_JUMP_MS = 20;
/** Large enough that no timestamp within `MAX_BACKWARD_MS` becomes negative. */
const START_MS = 1_000;

/** Converts the packets of a bus to an FLV stream that starts near 0, without jumps, at the pace of the receiver. */
export class PushFeed {
  /** Standard input of ffmpeg. Ends with the bus, or when the tracks change. */
  readonly stream: Readable;
  readonly #options: PushFeedOptions;
  readonly #reader: BusReader;
  readonly #withParameterSets = createParameterSetInserter();
  #bytes = 0;
  /** When the chunk was handed over that the receiver has not taken; null if there is none. */
  #handedOverAtMs: number | null = null;
  /** Offset from the timestamps of the packets to those of the FLV stream. */
  #shiftMs = 0;
  /** Highest timestamp of a frame in the FLV stream so far. */
  #lastMs: number | null = null;
  #tracksChanged = false;
  /** The current audio configuration. */
  #audioConfig: Buffer | null = null;

  constructor(options: PushFeedOptions) {
    this.#options = options;
    this.#reader = options.bus.openReader(backlogLimits, (packets) =>
      metrics.droppedPackets.inc({ reader: 'multistream' }, packets),
    );
    this.stream = Readable.from(this.#createFlv(), { objectMode: false, highWaterMark: 64 * 1024 });
  }

  /** Bytes handed over so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Packets dropped because the receiver was too slow. */
  get dropped(): number {
    return this.#reader.droppedCount;
  }

  /** Milliseconds for which the last chunk has been waiting for the receiver; 0 if none waits. */
  get blockedMs(): number {
    return this.#handedOverAtMs === null ? 0 : this.#options.now() - this.#handedOverAtMs;
  }

  /** Whether the feed ended because the FLV header lacks a track, or names it with another codec or form. */
  get tracksChanged(): boolean {
    return this.#tracksChanged;
  }

  /** Ends the stream. May be called twice. */
  close(): void {
    this.#reader.close();
  }

  async *#createFlv(): AsyncGenerator<Buffer, void, void> {
    const firstPackets: MediaPacket[] = [];
    const tracks = { video: false, audio: false };
    while (!this.#areTracksKnown(tracks, firstPackets)) {
      const packet = await this.#next();
      if (!packet) break;
      tracks[packet.kind] = true;
      this.#setAudio(packet);
      firstPackets.push(packet);
    }
    if (firstPackets.length === 0) return;
    yield* this.#handOver(encodeFlvHeader(tracks));
    for (const packet of firstPackets) yield* this.#handOver(this.#createTag(packet));
    for (let packet = await this.#next(); packet; packet = await this.#next()) {
      if (!tracks[packet.kind] || this.#setAudio(packet)) {
        this.#tracksChanged = true;
        return;
      }
      yield* this.#handOver(this.#createTag(packet));
    }
  }

  /**
   * Records the audio configuration.
   * @returns whether it differs from the first configuration and the receiver cannot follow: with `-c copy` into
   * MPEG-TS, ffmpeg keeps the first one
   */
  #setAudio({ kind, role, payload }: MediaPacket): boolean {
    if (kind !== 'audio' || role !== 'config') return false;
    const configBefore = this.#audioConfig;
    this.#audioConfig = payload;
    return this.#options.isAudioFixed === true && configBefore !== null && !configBefore.equals(payload);
  }

  async #next(): Promise<MediaPacket | undefined> {
    for (;;) {
      const packet = await this.#reader.next();
      if (!packet) return packet;
      if (packet.kind === 'video' && isPackaged(packet.codec) && packet.codec !== 'avc') {
        // A video codec that targets do not accept ends the feed, because a stream without video needs another header.
        this.#tracksChanged = true;
        return undefined;
      }
      if (this.#carries(packet)) return this.#withParameterSets(packet);
    }
  }

  /** Yields a chunk. The generator continues when the receiver requests the next one. */
  *#handOver(chunk: Buffer): Generator<Buffer, void, void> {
    this.#bytes += chunk.length;
    metrics.multistreamBytes.inc(chunk.length);
    this.#handedOverAtMs = this.#options.now();
    yield chunk;
    this.#handedOverAtMs = null;
  }

  #carries(packet: MediaPacket): boolean {
    if (packet.kind === 'audio') return packet.codec === 'aac' && !this.#options.videoOnly;
    return packet.codec === 'avc';
  }

  #areTracksKnown(tracks: { video: boolean; audio: boolean }, packets: readonly MediaPacket[]): boolean {
    if (tracks.video && (tracks.audio || this.#options.videoOnly)) return true;
    const frames = packets.filter(({ role }) => role === 'frame');
    const [first, last] = [frames[0], frames.at(-1)];
    return first !== undefined && last !== undefined && last.dts - first.dts >= SECOND_TRACK_WAIT_MS;
  }

  #createTag(packet: MediaPacket): Buffer {
    const lastMs = this.#lastMs;
    const shiftedMs = packet.dts + this.#shiftMs;
    if (packet.role === 'config') {
      // Encoders give configurations the timestamp 0 or an arbitrary number. Only their position in the stream counts.
      return encodeFlvTag({ ...packet, dts: lastMs ?? START_MS, pts: lastMs ?? START_MS });
    }
    if (lastMs === null) this.#shiftMs = START_MS - packet.dts;
    else if (shiftedMs < lastMs - MAX_BACKWARD_MS || shiftedMs > lastMs + MAX_AHEAD_MS) {
      this.#shiftMs = lastMs + AFTER_JUMP_MS - packet.dts;
    }
    this.#lastMs = Math.max(lastMs ?? 0, packet.dts + this.#shiftMs);
    return encodeFlvTag(packet, this.#shiftMs);
  }
}

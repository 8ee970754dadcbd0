import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import type { AudioCodec, MediaPacket, VideoCodec } from '@/media-worker/media/packets/media-packet';
import { type ElementaryStream, readFirstPmtPid, readProgramMap, SectionReader } from './program-tables';
import { createTicksUnwrapper } from './ticks-unwrapper';
import { createAudioReader, createVideoReader, type PayloadReader, type TsAudioFormat } from './track-reader';
import { ContinuityCheck, PACKET_BYTES, type TsPacket, TsPacketReader } from './ts-packets';

const PAT_PID = 0;
/** `stream_type` of streams whose codec only a descriptor names. */
const PRIVATE_DATA = 0x06;
/** Codecs by `stream_type` (ISO/IEC 13818-1 table 2-34). `unknown`: other video, such as MPEG-2, which is rejected by name. */
const VIDEO_TYPES: Readonly<Record<number, VideoCodec>> = {
  0x01: 'unknown',
  0x02: 'unknown',
  0x10: 'unknown',
  0x1b: 'avc',
  0x24: 'hevc',
  0x33: 'unknown',
};
const AUDIO_TYPES: Readonly<Record<number, TsAudioFormat>> = {
  0x03: 'mp3',
  0x04: 'mp3',
  0x0f: 'aac',
  0x11: 'latm',
  0x81: 'ac3',
  0x87: 'eac3',
};
/** Codecs by `format_identifier` of the registration descriptor. */
const PRIVATE_VIDEO: Readonly<Record<string, VideoCodec>> = { AV01: 'av1', HEVC: 'hevc' };
const PRIVATE_AUDIO: Readonly<Record<string, AudioCodec>> = {
  Opus: 'opus',
  'AC-3': 'ac3',
  EAC3: 'eac3',
  BSSD: 'unknown',
};
/** Audio by the tag of its descriptor (ETSI EN 300 468 table 12). */
const DVB_AUDIO: Readonly<Record<number, AudioCodec>> = { 0x6a: 'ac3', 0x7a: 'eac3', 0x7b: 'unknown' };
/** Number of lost packets that a continuity counter cannot show. */
const COUNTER_CYCLE = 16;

interface DemuxerEvents {
  readonly onPacket: (packet: MediaPacket) => void;
  /** Receives the tracks of the program before their packets. */
  readonly onTracks: (tracks: AnnouncedTracks, audioCodec: AudioCodec | null) => void;
}

/**
 * Reads the first program of an MPEG-TS stream (ISO/IEC 13818-1): its first video and audio track, as the same
 * packets that RTMP delivers. Damaged data is dropped, and no input makes it throw.
 */
export class TsDemuxer {
  readonly #events: DemuxerEvents;
  readonly #packets = new TsPacketReader((packet) => this.#onTsPacket(packet));
  readonly #slab = new PayloadSlab();
  readonly #unwrap = createTicksUnwrapper();
  readonly #continuity = new Map<number, ContinuityCheck>();
  #readers = new Map<number, PayloadReader>();
  #programMapPid: number | null = null;
  #programMap: Buffer | null = null;
  /** The tracks that are read, by PID. */
  #codecs = new Map<number, VideoCodec | TsAudioFormat>();

  constructor(events: DemuxerEvents) {
    this.#events = events;
    this.#listenToTables();
  }

  /** Adds bytes of the stream, in pieces of any size. */
  push(chunk: Buffer): void {
    this.#packets.push(chunk);
  }

  /**
   * To be called where the transport lost a part of the stream.
   * @param bytes maximum size of the lost part
   */
  markLoss(bytes: number): void {
    this.#packets.reset();
    const isHidden = bytes >= COUNTER_CYCLE * PACKET_BYTES;
    for (const check of this.#continuity.values()) check.markLoss(isHidden);
  }

  /** Delivers the complete packets at the end of the stream. */
  end(): void {
    for (const [pid, reader] of this.#readers) {
      if (this.#continuity.get(pid)?.hasLoss) reader.reset();
      reader.end();
    }
  }

  #onTsPacket(packet: TsPacket): void {
    const reader = this.#readers.get(packet.pid);
    if (!reader) return;
    let check = this.#continuity.get(packet.pid);
    if (!check) this.#continuity.set(packet.pid, (check = new ContinuityCheck()));
    const continuity = check.check(packet);
    if (continuity === 'repeated' || packet.payload.length === 0) return;
    if (continuity === 'lost') reader.reset();
    reader.push(packet.payload, packet.isStart);
  }

  /** Drops all tracks and waits for the program tables. */
  #listenToTables(): void {
    this.#readers = new Map();
    this.#codecs = new Map();
    this.#continuity.clear();
    this.#readers.set(
      PAT_PID,
      createSectionReader((section) => this.#onProgramAssociation(section)),
    );
  }

  #onProgramAssociation(section: Buffer): void {
    const pid = readFirstPmtPid(section);
    if (pid === null || pid === PAT_PID || pid === this.#programMapPid) return;
    this.end();
    this.#listenToTables();
    this.#programMapPid = pid;
    this.#programMap = null;
    this.#readers.set(
      pid,
      createSectionReader((map) => this.#onProgramMap(pid, map)),
    );
  }

  #onProgramMap(mapPid: number, section: Buffer): void {
    if (this.#programMap?.equals(section)) return;
    const streams = readProgramMap(section)?.filter(({ pid }) => pid !== PAT_PID && pid !== mapPid);
    if (!streams) return;
    this.#programMap = Buffer.from(section);
    const video = findFirstTrack(streams, videoCodecOf);
    const audio = findFirstTrack(streams, audioCodecOf);
    const codecs = new Map(
      [video, audio].flatMap((track) => (track ? [[track.pid, track.codec] as const] : [])),
    );
    for (const [pid, codec] of this.#codecs) if (codecs.get(pid) !== codec) this.#closeTrack(pid);
    const tracks = { video: video !== null, audio: audio === null ? null : {} };
    this.#events.onTracks(tracks, audio?.codec === 'latm' ? 'aac' : (audio?.codec ?? null));
    // A track that continues keeps its reader, which can hold the first part of a frame.
    const context = { onPacket: this.#events.onPacket, slab: this.#slab, unwrap: this.#unwrap };
    if (video && !this.#codecs.has(video.pid))
      this.#readers.set(video.pid, createVideoReader(video.codec, context));
    if (audio && !this.#codecs.has(audio.pid))
      this.#readers.set(audio.pid, createAudioReader(audio.codec, context));
    this.#codecs = codecs;
  }

  #closeTrack(pid: number): void {
    this.#readers.get(pid)?.end();
    this.#readers.delete(pid);
    this.#continuity.delete(pid);
    this.#codecs.delete(pid);
  }
}

function createSectionReader(onSection: (section: Buffer) => void): PayloadReader {
  const reader = new SectionReader();
  return {
    push: (payload, isStart) => reader.push(payload, isStart).forEach(onSection),
    reset: () => reader.reset(),
    end: () => undefined,
  };
}

function videoCodecOf({ streamType, formatIdentifier }: ElementaryStream): VideoCodec | undefined {
  return streamType === PRIVATE_DATA ? PRIVATE_VIDEO[formatIdentifier] : VIDEO_TYPES[streamType];
}

function audioCodecOf({
  streamType,
  formatIdentifier,
  descriptorTags,
}: ElementaryStream): TsAudioFormat | undefined {
  if (streamType !== PRIVATE_DATA) return AUDIO_TYPES[streamType];
  const tag = descriptorTags.find((descriptorTag) => DVB_AUDIO[descriptorTag] !== undefined);
  return PRIVATE_AUDIO[formatIdentifier] ?? (tag === undefined ? undefined : DVB_AUDIO[tag]);
}

function findFirstTrack<T>(
  streams: readonly ElementaryStream[],
  codecOf: (stream: ElementaryStream) => T | undefined,
): { readonly pid: number; readonly codec: T } | null {
  for (const stream of streams) {
    const codec = codecOf(stream);
    if (codec !== undefined) return { pid: stream.pid, codec };
  }
  return null;
}

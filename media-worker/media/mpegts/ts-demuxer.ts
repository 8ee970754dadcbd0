import { parseOpusUnits } from './opus-units';
import type { AnnouncedTracks } from '@/lib/core/media/track-set';
import { PayloadSlab } from '@/media-worker/media/packets/flv-reader';
import type { AudioCodec, MediaPacket, VideoCodec } from '@/media-worker/media/packets/media-packet';
import { type AacUnit, AdtsReader } from './adts-reader';
import { buildAvcFrame, type CodedFrame } from './avc-access-unit';
import { buildHevcFrame } from './hevc-access-unit';
import { type Pes, PesReader } from './pes-reader';
import { type ElementaryStream, readFirstPmtPid, readProgramMap, SectionReader } from './program-tables';
import { createTicksUnwrapper } from './ticks-unwrapper';
import { ContinuityCheck, type TsPacket, TsPacketReader } from './ts-packets';

const PAT_PID = 0;
const TICKS_PER_MS = 90;
const PRIVATE_DATA = 0x06;
const VIDEO_TYPES: Readonly<Record<number, VideoCodec>> = {
  0x01: 'unknown',
  0x02: 'unknown',
  0x10: 'unknown',
  0x1b: 'avc',
  0x24: 'hevc',
  0x33: 'unknown',
};
const AUDIO_TYPES: Readonly<Record<number, AudioCodec>> = {
  0x03: 'mp3',
  0x04: 'mp3',
  0x0f: 'aac',
  0x11: 'unknown',
  0x81: 'ac3',
  0x87: 'eac3',
};
const PRIVATE_VIDEO: Readonly<Record<string, VideoCodec>> = { AV01: 'av1', HEVC: 'hevc' };
const PRIVATE_AUDIO: Readonly<Record<string, AudioCodec>> = {
  Opus: 'opus',
  'AC-3': 'ac3',
  EAC3: 'eac3',
};

/** Handles the payloads of one PID. */
interface Reader {
  push(payload: Buffer, isStart: boolean): void;
  /** Drops incomplete data after lost packets. */
  reset(): void;
  /** Called at the end of the stream. */
  end(): void;
}

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
  #readers = new Map<number, Reader>();
  #programMapPid: number | null = null;
  #programMap: Buffer | null = null;
  /** The tracks that are read, by PID. */
  #codecs = new Map<number, VideoCodec | AudioCodec>();

  constructor(events: DemuxerEvents) {
    this.#events = events;
    this.#listenToTables();
  }

  push(chunk: Buffer): void {
    this.#packets.push(chunk);
  }

  /** Delivers the complete packets at the end of the stream. */
  end(): void {
    for (const reader of this.#readers.values()) reader.end();
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
    this.#events.onTracks(tracks, audio?.codec ?? null);
    // A track that continues keeps its reader, which can hold the first part of a frame.
    if (video && !this.#codecs.has(video.pid)) this.#readers.set(video.pid, this.#videoReader(video.codec));
    if (audio && !this.#codecs.has(audio.pid)) this.#readers.set(audio.pid, this.#audioReader(audio.codec));
    this.#codecs = codecs;
  }

  #closeTrack(pid: number): void {
    this.#readers.get(pid)?.end();
    this.#readers.delete(pid);
    this.#continuity.delete(pid);
    this.#codecs.delete(pid);
  }

  #videoReader(codec: VideoCodec): Reader {
    return new PesReader((pes) => {
      const times = this.#timesOf(pes);
      if (!times) return;
      const frame = parseFrame(codec, pes.data, this.#slab);
      if (frame) this.#events.onPacket({ kind: 'video', codec, role: 'frame', ...times, ...frame });
    });
  }

  #audioReader(codec: AudioCodec): Reader {
    if (codec === 'aac') return this.#aacReader();
    return new PesReader((pes) => {
      const times = this.#timesOf(pes);
      if (!times) return;
      const commonFields = { kind: 'audio', codec, role: 'frame' } as const;
      if (codec !== 'opus') this.#events.onPacket({ ...commonFields, ...times, payload: pes.data });
      else
        for (const { atMs, data } of parseOpusUnits(pes.data)) {
          const dts = Math.round(times.dts + atMs);
          this.#events.onPacket({ ...commonFields, dts, pts: dts, payload: data });
        }
    });
  }

  #aacReader(): Reader {
    let announcedRecord: Buffer | null = null;
    const units = new AdtsReader(({ ticks, config, unit }: AacUnit) => {
      const dts = Math.round(ticks / TICKS_PER_MS);
      const about = { kind: 'audio', codec: 'aac', dts, pts: dts } as const;
      if (!announcedRecord?.equals(config))
        this.#events.onPacket({ ...about, role: 'config', payload: config });
      announcedRecord = config;
      this.#events.onPacket({ ...about, role: 'frame', payload: this.#slab.store(unit) });
    });
    const reader = new PesReader((pes) =>
      units.push(pes.data, pes.pts === null ? null : this.#unwrap(pes.pts)),
    );
    return {
      push: (payload, isStart) => reader.push(payload, isStart),
      reset: () => {
        reader.reset();
        units.reset();
      },
      end: () => reader.end(),
    };
  }

  /** The times of a packet in milliseconds; null if it has none. */
  #timesOf({ pts, dts }: Pes): { readonly dts: number; readonly pts: number } | null {
    if (pts === null || dts === null) return null;
    const decodeTicks = this.#unwrap(dts);
    return {
      dts: Math.round(decodeTicks / TICKS_PER_MS),
      pts: Math.round((decodeTicks + ticksBetween(dts, pts)) / TICKS_PER_MS),
    };
  }
}

/**
 * Parses an access unit; null if it has no frame. Other codecs than H.264 and HEVC pass unchanged: the packager
 * rejects unsupported ones by name.
 */
function parseFrame(codec: VideoCodec, accessUnit: Buffer, slab: PayloadSlab): CodedFrame | null {
  if (codec === 'avc') return buildAvcFrame(accessUnit, slab);
  if (codec === 'hevc') return buildHevcFrame(accessUnit, slab);
  return { key: false, payload: accessUnit };
}

/** Ticks from `dts` to `pts`, across the 33-bit wrap. */
function ticksBetween(dts: number, pts: number): number {
  const ahead = (pts - dts + 2 ** 33) % 2 ** 33;
  return ahead < 2 ** 32 ? ahead : ahead - 2 ** 33;
}

function createSectionReader(onSection: (section: Buffer) => void): Reader {
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

function audioCodecOf({ streamType, formatIdentifier }: ElementaryStream): AudioCodec | undefined {
  return streamType === PRIVATE_DATA ? PRIVATE_AUDIO[formatIdentifier] : AUDIO_TYPES[streamType];
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

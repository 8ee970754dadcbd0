import { execFileSync } from 'node:child_process';

/** A packet that ffprobe reads from a file, ignoring edit lists. */
export interface ProbedPacket {
  readonly offset: number;
  readonly size: number;
  readonly dts: number;
  readonly pts: number;
  readonly key: boolean;
}

/** Packets of each track, by its index in the file, in decode order. */
export function probedPackets(path: string): Map<number, ProbedPacket[]> {
  const text = execFileSync(
    'ffprobe',
    [
      ...['-v', 'error', '-ignore_editlist', '1', '-show_entries'],
      ...['packet=stream_index,pts,dts,size,pos,flags', '-of', 'json', path],
    ],
    { maxBuffer: 2 ** 28 },
  ).toString();
  const { packets } = JSON.parse(text) as {
    packets: { stream_index: number; pts?: number; dts?: number; size: string; pos: string; flags: string }[];
  };
  const tracks = new Map<number, ProbedPacket[]>();
  for (const { stream_index, pts = NaN, dts = NaN, size, pos, flags } of packets) {
    const list = tracks.get(stream_index) ?? [];
    tracks.set(stream_index, list);
    list.push({ offset: Number(pos), size: Number(size), dts, pts, key: flags.includes('K') });
  }
  return tracks;
}

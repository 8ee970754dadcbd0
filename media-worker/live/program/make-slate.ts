import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StorageDriver } from '@/lib/infra/storage';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import { runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { drawTextTestPlan } from '@/media-worker/media/ffmpeg/live-args';
import { Semaphore } from '@/media-worker/media/ffmpeg/semaphore';
import { planSlate } from '@/media-worker/media/ffmpeg/slate-args';
import { FlvReader } from '@/media-worker/media/packets/flv-reader';
import type { MediaPacket } from '@/media-worker/media/packets/media-packet';
import type { MakeSlate, Slate, SlateSpec } from './slate';

const TIMEOUT_MS = 60_000;
const sandbox = { memory: 2_000_000_000, fileSize: 64 * 1024 * 1024, cpuSeconds: 60, nice: 0 };
/** Limits how many slates are encoded at the same time, across all streams. */
const encoderSlots = new Semaphore(1);

let drawTextTest: Promise<boolean> | undefined;
/** Whether ffmpeg was built with the filter `drawtext`, which not every distribution includes. */
const canDrawText = (): Promise<boolean> =>
  (drawTextTest ??= runFfmpeg(drawTextTestPlan, { sandbox }).whenDone.then(({ ok }) => ok));

/**
 * Creates a function that encodes slates with ffmpeg, without network and within limits.
 * @param storage the storage with the pictures of teams
 */
export function createMakeSlate(storage: Pick<StorageDriver, 'withFile'>): MakeSlate {
  return (spec, signal) =>
    encoderSlots.run(() =>
      spec.picture === null
        ? encodeSlate(spec, undefined, signal)
        : storage.withFile(spec.picture, (path) => encodeSlate(spec, path, signal)),
    );
}

async function encodeSlate(
  spec: SlateSpec,
  picturePath: string | undefined,
  signal: AbortSignal,
): Promise<Slate> {
  const folder = await mkdtemp(join(scratchFolder(), 'slate-'));
  try {
    const output = join(folder, 'slate.flv');
    const titleFile = join(folder, 'title.txt');
    const hasTitle = picturePath === undefined && spec.title !== '' && (await canDrawText());
    if (hasTitle) await writeFile(titleFile, spec.title);
    const plan = planSlate({ ...spec, picture: picturePath, output, titleFile: hasTitle ? titleFile : null });
    const encodeSignal = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const result = await runFfmpeg(plan, { sandbox, signal: encodeSignal }).whenDone;
    if (!result.ok) throw new Error(result.reason);
    return parseSlate(await readFile(output), spec.fps);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function parseSlate(file: Buffer, fps: number): Slate {
  const packets: MediaPacket[] = [];
  new FlvReader((packet) => packets.push(packet)).push(file);
  const record = packets.find(({ kind, role }) => kind === 'video' && role === 'config')?.payload;
  const frames = packets.flatMap((packet) =>
    packet.kind === 'video' && packet.role === 'frame' && packet.payload.length > 0
      ? { key: packet.key, payload: packet.payload }
      : [],
  );
  if (!record || frames[0]?.key !== true) throw new Error('ffmpeg encoded no frame');
  return { record, frames, frameMs: 1_000 / fps };
}

import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { scratchFolder } from '@/media-worker/kit/process/scratch-folder';
import type { TeamContext, WorkerContext } from '@/lib/domain/context';
import { AppError } from '@/lib/core/errors';
import { createClientAddressReader } from '@/lib/infra/egress/ip-address';
import { StorageError } from '@/lib/infra/storage';
import { freeDiskSpace } from '@/lib/infra/storage/disk-space';
import type { PictureClaims } from '@/lib/infra/picture-token';
import type { FfmpegPlan } from '@/media-worker/media/ffmpeg/plan';
import type { PictureFormat } from '@/media-worker/media/ffmpeg/uploaded-picture-args';
import { runFfmpeg } from '@/media-worker/media/ffmpeg/run';
import { Semaphore } from '@/media-worker/media/ffmpeg/semaphore';
import { errorAnswer, rejectionAnswer, type Answer } from '@/media-worker/kit/http/answer';
import { queryValue } from '@/media-worker/kit/http/request-url';
import { UploadBodyError } from './upload-body';
import { bodyErrorAnswer } from './put-rejections';
import { uploadTimings, withBody } from './upload-put';

const CONVERSION_TIMEOUT_MS = 15_000;
/** Limits of one conversion. `memory` and `fileSize` are bytes. */
const sandbox = { memory: 1_000_000_000, fileSize: 16 * 1024 * 1024, cpuSeconds: 10 };
/** Slots that limit the number of simultaneous conversions; others wait. */
const conversionSlots = new Semaphore(2);

/** A kind of picture and its handling. */
export interface PictureUpload<Claims extends PictureClaims = PictureClaims> {
  /** Name in messages, for example "logo". */
  readonly name: string;
  readonly maxBytes: number;
  /** The endpoint that returns the URL. */
  readonly endpoint: string;
  readonly readClaims: (secrets: WorkerContext['secrets'], token: string, now: number) => Claims | null;
  /** Format of the stored file. Default: PNG. */
  readonly storedFormat?: 'png' | 'jpeg';
  /** The ffmpeg command that converts the upload to the stored format. */
  readonly planConversion: (input: string, format: PictureFormat, output: string) => FfmpegPlan;
  /** Stores the picture for the owner of the URL. */
  readonly store: (ctx: PictureContext, picture: Buffer, claims: Claims) => Promise<Answer>;
}

export type PictureContext = TeamContext & Pick<WorkerContext, 'storage'>;

/**
 * Handles a PUT to the URL of a picture upload: 200 once pages show it. The stored file is always made by ffmpeg,
 * whatever type the upload claimed.
 */
export async function putPicture<Claims extends PictureClaims>(
  ctx: WorkerContext,
  request: IncomingMessage,
  upload: PictureUpload<Claims>,
): Promise<Answer> {
  const { maxBytes, name } = upload;
  const token = queryValue(request.url, 'token') ?? '';
  const claims = upload.readClaims(ctx.secrets, token, ctx.clock.now().getTime());
  if (!claims) {
    const advice = `Request a new one with ${upload.endpoint}.`;
    return errorAnswer(403, `This upload URL is invalid or has expired. ${advice}`);
  }
  if (Number(request.headers['content-length'] ?? 0) > maxBytes)
    return bodyErrorAnswer(new UploadBodyError('too_large'), maxBytes);
  const { teamId, keyId, userId } = claims;
  const ip = createClientAddressReader(ctx.settings.trustedProxies)(request);
  const actor = keyId === null ? ({ kind: 'session' } as const) : ({ kind: 'key', keyId } as const);
  const user = userId === null ? {} : { userId };
  const ownerCtx = { ...ctx, actor: { ...actor, ...user, teamId, ip } };
  const neverAborted = new AbortController().signal;
  const bodyOptions = { maxBytes, timings: uploadTimings, signal: neverAborted };
  try {
    return await withBody(ctx, request, bodyOptions, (path) => acceptPicture(ownerCtx, path, claims, upload));
  } catch (error) {
    if (error instanceof UploadBodyError) return bodyErrorAnswer(error, maxBytes);
    if (error instanceof AppError) return rejectionAnswer(error);
    ctx.log.warn({ err: error }, `${name} not stored`);
    return errorAnswer(503, `The ${name} could not be stored. Send it again to the same URL.`, {
      'Retry-After': 5,
    });
  }
}

async function acceptPicture<Claims extends PictureClaims>(
  ctx: PictureContext,
  path: string,
  claims: Claims,
  { name, storedFormat = 'png', planConversion, store }: PictureUpload<Claims>,
): Promise<Answer> {
  const format = detectFormat(await readFirstBytes(path));
  if (!format) return errorAnswer(422, `The ${name} must be a PNG, JPEG or WebP image.`);
  const picture = await conversionSlots.run(() =>
    convert((output) => planConversion(path, format, output), storedFormat),
  );
  if (!picture) return errorAnswer(422, 'The image is damaged, animated or too large. Try a smaller PNG.');
  return store(ctx, picture, claims);
}

/** Reads the first 12 bytes, which is the length of the longest signature: that of WebP. */
async function readFirstBytes(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

const signatures = {
  png: Buffer.from('89504e470d0a1a0a', 'hex'),
  jpeg: Buffer.from('ffd8ff', 'hex'),
} as const;
const startsWith = (bytes: Buffer, signature: Buffer) =>
  bytes.subarray(0, signature.length).equals(signature);

/** Detects the format by content, because name and type are not trusted. */
function detectFormat(bytes: Buffer): PictureFormat | null {
  if (startsWith(bytes, signatures.png)) return 'png_pipe';
  if (startsWith(bytes, signatures.jpeg)) return 'jpeg_pipe';
  const isWebp = bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP';
  return isWebp ? 'webp_pipe' : null;
}

/**
 * Converts an upload to the stored format.
 * @returns null if the upload is not a valid picture, or needs more CPU time than the sandbox allows
 * @throws Error if the conversion was killed, took too long on a busy machine, or the disk is full
 */
async function convert(
  planConversion: (output: string) => FfmpegPlan,
  storedFormat: keyof typeof signatures,
): Promise<Buffer | null> {
  const folder = await mkdtemp(join(scratchFolder(), 'picture-'));
  try {
    const output = join(folder, 'picture');
    const signal = AbortSignal.timeout(CONVERSION_TIMEOUT_MS);
    const result = await runFfmpeg(planConversion(output), { sandbox, signal }).whenDone;
    signal.throwIfAborted();
    if (!result.ok && result.isKilled) throw new Error(result.reason);
    const bytes = result.ok ? await readFile(output).catch(() => null) : null;
    if (bytes && startsWith(bytes, signatures[storedFormat])) return bytes;
    if ((await freeDiskSpace(folder)) === 0) throw new StorageError('full', 'no disk space for the picture');
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
